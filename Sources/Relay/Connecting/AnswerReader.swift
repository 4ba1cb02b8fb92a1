import NIOCore
import NIOHTTP1
import NIOTLS
import Webhooks

/// Reads one answer, and keeps of it the status and how long to wait. One that says that the event was taken is not read
/// further than its head; any other one is read to its end.
final class AnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// In bytes: of the body of an answer, which is not looked at.
    private static let limit = 64 << 10

    private let answer: EventLoopPromise<DeliveryOutcome>
    private var isSecured: Bool
    private var head: HTTPResponseHead?
    private var length = 0
    private var isDone = false

    /// - Parameter isSecure: whether there must be a handshake of TLS before anything else.
    init(_ answer: EventLoopPromise<DeliveryOutcome>, isSecure: Bool) {
        self.answer = answer
        isSecured = !isSecure
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Informational answers come before the one that counts.
            guard head.status.code >= 200 else { return }
            self.head = head
            if DeliveryOutcome.delivered.contains(Int(head.status.code)) { end(answered(by: head), context) }
        case .body(let part):
            length += part.readableBytes
            if length > Self.limit { end(.failed(.answerTooLong), context) }
        case .end:
            guard let head else { return }
            guard DeliveryOutcome.statuses.contains(Int(head.status.code)) else {
                return end(.failed(.brokenAnswer), context)
            }
            end(answered(by: head), context)
        }
    }

    private func answered(by head: HTTPResponseHead) -> DeliveryOutcome {
        let wish = head.headers.first(name: "Retry-After").flatMap(Self.seconds)
        return .answered(status: Int(head.status.code), retryAfter: wish)
    }

    /// A number that is too great to read is a wish for the longest pause, too. A date is not looked at.
    private static func seconds(_ field: String) -> Int? {
        let longest = Int(RetrySchedule.longestWish / 1000)
        guard !field.isEmpty, field.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int(field) ?? longest, longest)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event { isSecured = true }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end(.failed(isSecured ? .brokenAnswer : .tls), context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.failed(isSecured ? .brokenAnswer : .tls), context)
        context.fireChannelInactive()
    }

    private func end(_ outcome: DeliveryOutcome, _ context: ChannelHandlerContext) {
        guard !isDone else { return }
        isDone = true
        answer.succeed(outcome)
        context.close(promise: nil)
    }
}
