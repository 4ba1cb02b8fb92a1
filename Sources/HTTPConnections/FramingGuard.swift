import NIOCore
import NIOHTTP1

/// Stands behind the decoder. Refuses requests that the decoder accepts and RFC 9112 does not allow, lets a connection
/// continue after a request that offers an upgrade, and drops what comes after the last request of a connection.
final class FramingGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private let decoder: RequestDecoder
    private var isRefused = false
    /// Whether the request that is arriving offers an upgrade that stops the decoder.
    private var stopsDecoder = false
    /// Whether the request that is arriving asks to close the connection.
    private var isLast = false
    /// The arriving request asked to close and is whole: its answer is the last (RFC 9112, 9.6).
    private var isOver = false

    init(decoder: RequestDecoder) { self.decoder = decoder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused, !isOver else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard head.hasPlainFraming, head.namesOneHost else {
                isRefused = true
                return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
            }
            stopsDecoder = head.removeUpgrade()
            isLast = !head.isKeepAlive
            decoder.readHead(head.body)
            context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: context.fireChannelRead(data)
        case .end:
            decoder.readEnd(isStopped: stopsDecoder, isLast: isLast)
            isOver = isLast
            context.fireChannelRead(data)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // More bytes behind an error of the decoder, which was reported when it occurred.
        if case ByteToMessageDecoderError.dataReceivedInErrorState = error { return }
        guard !isOver || !(error is HTTPParserError) else { return }
        context.fireErrorCaught(error)
    }
}

extension HTTPRequestHead {
    /// Whether the end of the request is unambiguous: no tunnel, and only `chunked` as a transfer coding, only in
    /// HTTP/1.1 (RFC 9112, 6.1).
    var hasPlainFraming: Bool {
        guard method != .CONNECT else { return false }
        let codings = headers["transfer-encoding"]
        guard !codings.isEmpty else { return true }
        return version == .http1_1 && codings.count == 1 && codings[0].lowercased() == "chunked"
    }

    /// The body that the header states; `nil` if it states none.
    fileprivate var body: TargetEscaper.Body? {
        guard !headers.contains(name: "transfer-encoding") else { return .chunks }
        guard let length = headers.first(name: "content-length") else { return nil }
        return .length(Int(length.prefix { $0.isASCII && $0.isNumber }) ?? .max)
    }

    /// Whether it names one host; HTTP/1.0 may name none (RFC 9112, 3.2).
    var namesOneHost: Bool {
        switch headers["host"].count {
        case 0: version == .http1_0
        case 1: true
        default: false
        }
    }

    /// Removes the offer of another protocol, which this server does not speak.
    ///
    /// A `Connection` field that is spelt in an unusual way becomes `close`, because it is then uncertain whether the
    /// decoder stops after it.
    ///
    /// - Returns: whether the decoder stops after this request.
    mutating func removeUpgrade() -> Bool {
        guard headers.contains(name: "upgrade") else { return false }
        let fields = headers["connection"]
        guard fields.contains(where: { $0.lowercased().contains("upgrade") }) else { return false }
        headers.remove(name: "upgrade")
        let options = fields[0].split(separator: ",", omittingEmptySubsequences: false).map { option in
            option.drop { $0 == " " }.lowercased()
        }
        guard fields.count == 1, options.contains("upgrade"), options.allSatisfy(\.isToken) else {
            headers.replaceOrAdd(name: "connection", value: "close")
            return false
        }
        let others = options.filter { $0 != "upgrade" && $0 != "http2-settings" }
        headers.remove(name: "http2-settings")
        headers.remove(name: "connection")
        if !others.isEmpty { headers.add(name: "connection", value: others.joined(separator: ", ")) }
        return true
    }
}

extension String {
    /// Whether it is an option of `Connection` as programs write them: lower-case letters, digits and hyphens.
    fileprivate var isToken: Bool {
        !isEmpty
            && utf8.allSatisfy { byte in
                byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") || byte == UInt8(ascii: "-")
                    || byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
            }
    }
}
