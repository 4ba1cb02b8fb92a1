import Formats
import Identifiers
import NIOCore
import Pages

/// Writes answers as bytes without the HTTP encoder: one buffer, one write. Belongs to an event loop.
struct ResponseWriter {
    private var date = HTTPDate()
    private var recent = RecentResponses()
    private let allocator = ByteBufferAllocator()

    /// The 302 of a link. The bytes are the same whether the click is recorded or not, for GET and HEAD.
    /// - Parameter isLast: whether the connection ends with this answer.
    mutating func redirect(
        _ prepared: PreparedRedirect, for request: RedirectRequest, isLast: Bool, at now: Timestamp
    ) -> ByteBuffer {
        answer(prepared.bytes, after: request, isLast: isLast, at: now)
    }

    /// The success of a report of a device that was taken.
    mutating func success(of endpoint: DeviceEndpoint, isLast: Bool, at now: Timestamp) -> ByteBuffer {
        answer(PreparedReportResponse.bytes(to: endpoint), after: RedirectRequest(), isLast: isLast, at: now)
    }

    /// The picture of a mail. The bytes are the same whether the opening is recorded or not.
    mutating func picture(isLast: Bool, at now: Timestamp) -> ByteBuffer {
        answer(
            TransparentPixel.preparedHead, TransparentPixel.gif, after: RedirectRequest(), isLast: isLast, at: now)
    }

    private mutating func answer(
        _ prepared: [UInt8], _ body: [UInt8] = [], after request: RedirectRequest, isLast: Bool, at now: Timestamp
    ) -> ByteBuffer {
        update(to: now)
        // Nearly all answers have the usual end. Within one second, those of one prepared answer then share a buffer.
        guard !isLast, !request.mustStateKeepAlive else {
            return written(prepared, body, after: request, isLast: isLast)
        }
        if let answer = recent.answer(of: prepared) { return answer }
        let answer = written(prepared, body, after: request, isLast: false)
        recent.keep(answer, of: prepared)
        return answer
    }

    private mutating func update(to now: Timestamp) {
        if date.update(to: now) { recent.removeAll() }
    }

    private func written(
        _ prepared: [UInt8], _ body: [UInt8], after request: RedirectRequest, isLast: Bool
    ) -> ByteBuffer {
        var buffer = allocator.buffer(capacity: prepared.count + date.bytes.count + body.count + 32)
        buffer.writeBytes(prepared)
        buffer.writeBytes(date.bytes)
        end(&buffer, after: request, isLast: isLast)
        buffer.writeBytes(body)
        return buffer
    }

    /// - Parameter language: the page's language; `nil` for a problem document.
    mutating func refusal(
        _ refusal: RedirectPlan.Refusal, in language: PageLanguage?, for request: RedirectRequest, isLast: Bool,
        at now: Timestamp
    ) -> ByteBuffer {
        update(to: now)
        let (head, body) = RefusalResponse.prepared(refusal, in: language)
        var buffer = allocator.buffer(capacity: head.utf8.count + body.utf8.count + 64)
        buffer.writeString(head)
        buffer.writeBytes(date.bytes)
        end(&buffer, after: request, isLast: isLast)
        if request.method != .head { buffer.writeString(body) }
        return buffer
    }

    private func end(_ buffer: inout ByteBuffer, after request: RedirectRequest, isLast: Bool) {
        if isLast {
            buffer.writeStaticString("\r\nConnection: close\r\n\r\n")
        } else if request.mustStateKeepAlive {
            buffer.writeStaticString("\r\nConnection: keep-alive\r\n\r\n")
        } else {
            buffer.writeStaticString("\r\n\r\n")
        }
    }
}
