import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOEmbedded
import NIOHTTPTypes

@testable import HTTPAPI

/// What a connection was sent in answer to one request.
struct ConnectionAnswer {
    var heads: [HTTPResponse] = []
    var bytes: [UInt8] = []
    /// Whether the answer came to its proper end.
    var hasEnded = false

    var status: Int { heads.first?.status.code ?? 0 }
    var headers: HTTPFields { heads.first?.headerFields ?? [:] }
    var answer: ListenerAnswer {
        ListenerAnswer(status: status, headers: headers, body: String(decoding: bytes, as: UTF8.self))
    }

    /// Asks `responder` as a connection does.
    ///
    /// - Returns: what was sent, and what the responder threw.
    static func of(
        _ method: HTTPRequest.Method, _ path: String, body: String = "", headers: HTTPFields = [:],
        by responder: Responder
    ) async -> (sent: ConnectionAnswer, error: (any Error)?) {
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "links.example", path: path, headerFields: headers),
            body: RequestBody(buffer: ByteBuffer(string: body)))
        let (outbound, sink) = NIOAsyncChannelOutboundWriter<HTTPResponsePart>.makeTestingWriter()
        var thrown: (any Error)?
        do {
            try await responder(request, ResponseWriter(outbound: outbound), EmbeddedChannel())
        } catch {
            thrown = error
        }
        outbound.finish()
        var sent = ConnectionAnswer()
        for await part in sink {
            switch part {
            case .head(let head): sent.heads.append(head)
            case .body(let buffer): sent.bytes += Array(buffer.readableBytesView)
            case .end: sent.hasEnded = true
            }
        }
        return (sent, thrown)
    }
}
