import NIOCore

/// Reads requests and answers each with a 302 after its record is durable. The answers of a connection are in the order
/// of its requests, since records become durable in the order in which they are handed over.
final class RedirectHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// As long as the service's answer.
    private static let answer = ByteBuffer(
        string: """
            HTTP/1.1 302 Found\r
            Location: https://shop.example/spring/7?utm_source=push&utm_campaign=c7\r
            Cache-Control: no-store\r
            Referrer-Policy: no-referrer\r
            X-Robots-Tag: noindex, nofollow\r
            Content-Length: 0\r
            Date: Wed, 25 Nov 2026 12:00:00 GMT\r
            \r

            """)
    private static let maximumHead = 8192

    private let records: RecordFile
    /// The part of a request whose end has not come yet.
    private var rest: ByteBuffer?

    init(records: RecordFile) { self.records = records }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        if var started = rest.take() {
            started.writeBuffer(&input)
            input = started
        }
        while let length = headLength(input.readableBytesView) {
            guard let head = input.readSlice(length: length), let path = path(of: head.readableBytesView) else {
                return context.close(promise: nil)
            }
            record(path, context: context)
        }
        guard input.readableBytes <= Self.maximumHead else { return context.close(promise: nil) }
        if input.readableBytes > 0 { rest = input }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func record(_ path: ByteBufferView, context: ChannelHandlerContext) {
        let channel = context.channel
        records.append(Record(path: path), on: context.eventLoop) {
            channel.writeAndFlush(Self.answer, promise: nil)
        }
    }

    /// The bytes of a request up to the end of the empty line; `nil` when that has not come yet.
    private func headLength(_ bytes: ByteBufferView) -> Int? {
        var line = bytes.startIndex
        while let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) {
            if end - line <= 1 { return end + 1 - bytes.startIndex }
            line = end + 1
        }
        return nil
    }

    /// The path of a `GET`; `nil` for any other request.
    private func path(of head: ByteBufferView) -> ByteBufferView? {
        let parts = head.prefix { $0 != UInt8(ascii: "\r") }.split(separator: UInt8(ascii: " "))
        guard parts.count == 3, parts[0].elementsEqual("GET".utf8) else { return nil }
        return parts[1]
    }
}
