import HTTPTypes
import Hummingbird
import Identifiers
import Interactions
import Messages
import NIOCore
import Redirect
import TrackingIDs

/// The image at the end of a mail, whose request counts as an opening: the rules of a click apply, and the answer is a
/// picture instead of a redirect. Answers what `PictureHandler` does not take before the decoder.
struct OpenPixelRoutes {
    let opener: SharedTrackingIDOpener
    let directory: LinkDirectory
    let writer: SpoolWriter
    let rate: ClickRate
    let counters: RedirectCounters
    let now: @Sendable () -> Timestamp

    static let path = PublicPath.openPixel.template("image")

    func add(to router: Router<BasicRequestContext>) {
        let path = Self.path
        router.get(path) { request, context in try await answer(request, context) }
        router.head(path) { request, context in try await answer(request, context) }
        router.refuseOtherMethods(than: [.get, .head], on: path.description)
    }

    private func answer(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let image = context.parameters.get("image"), image.hasSuffix(".gif"),
            let id = try opener.open({ $0.open(image.dropLast(4)) }), id.link == .message,
            let message = try await directory.find(id.message)
        else { throw Problem.notFound }
        if message.isDisabled { throw Problem(.gone, "This message was switched off by its sender.") }
        let (instant, signals) = (now(), request.signals)
        if message.recordsOpening(of: id, isHead: request.method == .head, signals: signals, at: instant) {
            let occurrence = Occurrence.opening(of: id, signals: signals, at: instant)
            // The reader gets the picture whether the opening could be recorded or not.
            if rate.consume(of: id.recipient, on: id.message, link: id.link, at: .now()) {
                await OpenRecorder(writer: writer, counters: counters).record(occurrence)
            } else {
                counters.overRate()
            }
        }
        return Self.picture
    }

    private static var picture: Response {
        Response(
            status: .ok, headers: .protected(TransparentPixel.mediaType),
            body: .init(byteBuffer: ByteBuffer(bytes: TransparentPixel.gif)))
    }
}
