import HTTPTypes
import Hummingbird
import Identifiers
import Interactions
import Messages
import NIOCore
import Redirect
import TrackingIDs

/// The image at the end of a mail, whose request counts as an opening: the rules of a click apply, and the answer is a
/// picture instead of a redirect.
struct OpenPixelRoutes {
    let opener: SharedTrackingIDOpener
    let directory: LinkDirectory
    let writer: SpoolWriter
    let rate: ClickRate
    let counters: RedirectCounters
    let now: @Sendable () -> Timestamp

    func add(to router: Router<BasicRequestContext>) {
        let path = PublicPath.openPixel.template("image")
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
        if isRecorded(id, of: message, method: request.method, signals: signals, at: instant) {
            let occurrence = Occurrence(
                kind: .messageOpened, source: .redirect, occurredAt: instant, message: id.message,
                recipient: id.recipient, link: .message, visitor: signals.agent.opening)
            // The reader gets the picture whether the opening could be recorded or not.
            if rate.consume(of: id.recipient, on: id.message, link: id.link, at: .now()) {
                await OpenRecorder(writer: writer, counters: counters).record(occurrence)
            } else {
                counters.overRate()
            }
        }
        return Self.picture
    }

    private func isRecorded(
        _ id: TrackingID, of message: LinkedMessage, method: HTTPRequest.Method, signals: RequestSignals,
        at instant: Timestamp
    ) -> Bool {
        // Push payloads also contain a tracking ID of the message, and have no picture.
        guard message.tracksOpens else { return false }
        let policy = message.recordingPolicy(
            for: id.recipient, of: .opens, expires: id.expiry.timestamp,
            mayObject: signals.hasGlobalPrivacyControl, at: instant)
        return policy.verdict(isHead: method == .head, signals: signals, at: instant) == .record
    }

    private static var picture: Response {
        Response(
            status: .ok, headers: .protected("image/gif"),
            body: .init(byteBuffer: ByteBuffer(bytes: transparentGIF)))
    }

    /// One transparent pixel, 43 bytes.
    static let transparentGIF: [UInt8] = [
        0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF,  // header, two colours
        0x21, 0xF9, 4, 1, 0, 0, 0, 0,  // the first of them is transparent
        0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B,  // a picture of one pixel
    ]
}
