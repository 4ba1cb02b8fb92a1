import ASCII
import NIOCore
import NIOHTTP1
import NIOTLS
import Webhooks

/// Reads one answer, and keeps its status and the pause that it asks for (`Retry-After`). If the answer accepts the
/// event, only its head is read; any other answer is read to its end.
final class ResponseReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    /// In bytes: how much of an answer's body is read and dropped at most.
    private static let limit = 64 << 10
    /// How many informational answers (1xx) may come before the final one.
    private static let informationalLimit = 8

    private let answer: EventLoopPromise<DeliveryOutcome>
    private let secured: EventLoopPromise<Bool>?
    private var isSecured: Bool
    private var head: HTTPResponseHead?
    private var length = 0
    private var informationalCount = 0
    private var isDone = false

    /// - Parameter secured: is given true after the handshake of TLS; `nil` without TLS.
    init(_ answer: EventLoopPromise<DeliveryOutcome>, secured: EventLoopPromise<Bool>?) {
        self.answer = answer
        self.secured = secured
        isSecured = secured == nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Informational answers come before the final one.
            guard head.status.code >= 200 else {
                informationalCount += 1
                if informationalCount > Self.informationalLimit { end(.failed(.brokenAnswer), context) }
                return
            }
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

    /// A number that is too great to read also stands for the longest pause. A date is ignored, and so is white space
    /// around the number, which is no part of the value (RFC 9110, 5.5).
    private static func seconds(_ field: String) -> Int? {
        let longest = Int(RetrySchedule.maximumRetryAfter.components.seconds)
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let value = field.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard !value.isEmpty, value.allSatisfy(\.isDigit) else { return nil }
        return min(Int(String(decoding: value, as: UTF8.self)) ?? longest, longest)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            isSecured = true
            secured?.succeed(true)
        }
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
