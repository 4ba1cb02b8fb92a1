import HTTPTypes
import Hummingbird
import Identifiers
import Ledger
import Messages
import NIOCore
import TrackingIDs
import UseCases

/// The receipt of an answer, for the person who gave it: `/receipt/{token}`.
///
/// The token is shown once, on the page that answers the request which recorded the answer, and leads to the receipt
/// for an hour. Fetching the receipt changes and records nothing, however often a browser or a gateway does it.
struct ReceiptRoutes {
    let tokens: SharedReceiptTokens
    let receipts: ConsentReceipts
    let now: @Sendable () -> Timestamp

    func add(to router: Router<BasicRequestContext>) {
        let path = PublicPath.receipt.template("token")
        router.get(path) { request, context in await answer(request, context) }
        router.head(path) { request, context in await answer(request, context) }
        router.refuseOtherMethods(than: [.get, .head], on: path.description)
    }

    private func answer(_ request: Request, _ context: BasicRequestContext) async -> Response {
        do {
            switch try await receipt(at: request.uri.path) {
            case .success(let receipt): return Self.file(receipt)
            case .failure(let refusal): return refusal.response(to: request)
            }
        } catch {
            context.logger.report(error, answeredWith: Problem(describing: error))
            return ReceiptRefusal.notReady.response(to: request)
        }
    }

    /// Only one spelling of a token opens.
    private func receipt(at path: String) async throws -> Result<ConsentReceipt, ReceiptRefusal> {
        guard let token = try tokens.open(PublicPath.receipt.rest(of: path)) else { return .failure(.notFound) }
        guard !token.hasExpired(at: now()) else { return .failure(.expired) }
        return switch try await receipts.receipt(of: token.record) {
        case .made(let receipt): .success(receipt)
        case .notFound: .failure(.notFound)
        case .notSigned: .failure(.notReady)
        }
    }

    private static func file(_ receipt: ConsentReceipt) -> Response {
        var headers = HTTPFields.protected("application/json")
        headers[.contentDisposition] = #"attachment; filename="consent-receipt.json""#
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: receipt.bytes)))
    }
}
