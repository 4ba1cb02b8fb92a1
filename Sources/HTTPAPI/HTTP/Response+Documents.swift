import HTTPTypes
package import Hummingbird
import JSON
import NIOCore

extension Response {
    /// A JSON document. No cache may keep it, because answers of this API can change at any moment.
    static func json(
        _ status: HTTPResponse.Status = .ok, _ fill: (inout JSONWriter) throws -> Void
    ) rethrows -> Response {
        var writer = JSONWriter(capacity: 1024)
        try fill(&writer)
        return .json(status, document: writer.bytes)
    }

    /// The same for a document that is written already.
    static func json(_ status: HTTPResponse.Status = .ok, document: [UInt8]) -> Response {
        .document(.json, document, status: status)
    }

    /// The same for any media type.
    static func document(
        _ type: APIMediaType, _ bytes: [UInt8], status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status, headers: [.contentType: type.contentType, .cacheControl: "no-store"],
            body: ResponseBody(document: bytes))
    }
}

extension ResponseBody {
    /// A longer document is copied for the connection piece by piece, as the client reads it.
    private static let maximumPieceSize = 256 * 1024

    fileprivate init(document bytes: [UInt8]) {
        guard bytes.count > Self.maximumPieceSize else {
            self.init(byteBuffer: ByteBuffer(bytes: bytes))
            return
        }
        self.init(contentLength: bytes.count) { writer in
            for start in stride(from: 0, to: bytes.count, by: Self.maximumPieceSize) {
                let end = min(start + Self.maximumPieceSize, bytes.count)
                try await writer.write(ByteBuffer(bytes: bytes[start..<end]))
            }
            try await writer.finish(nil)
        }
    }
}

extension Response {
    /// The same without its body, as an answer to HEAD. It has the length that the answer to GET has, or none if that
    /// has none (RFC 9110, 8.6).
    package var toHEAD: Response {
        guard body.contentLength == nil else { return createHeadResponse() }
        return Response(status: status, headers: headers, body: ResponseBody { try await $0.finish(nil) })
    }
}
