import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import UseCases

extension Response {
    /// An answer of JSON lines that `write` writes step by step. It ends normally only if `write` returns, or throws
    /// that the caller's key was deleted, which is then the last line. If it throws anything else, the connection is
    /// closed before the chunk that would end the body (RFC 9112, 7.1).
    static func lines(
        headers: HTTPFields = [:], _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        streamed(.jsonLines, headers: headers, write)
    }

    static func streamed(
        _ type: APIMediaType, headers: HTTPFields = [:],
        _ write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void
    ) -> Response {
        var headers = headers
        headers[.contentType] = type.contentType
        headers[.cacheControl] = "no-store"
        return Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                do {
                    try await write(&writer)
                } catch RequestRefusal.keyDeleted where type == .jsonLines {
                    var line = JSONWriter()
                    line.refusalLine(Problem(.keyDeleted))
                    try await writer.write(ByteBuffer(bytes: line.bytes))
                }
                try await writer.finish(nil)
            })
    }
}

extension JSONWriter {
    /// Ends a line of JSON lines.
    mutating func endLine() { separate(by: UInt8(ascii: "\n")) }

    /// A line that says why the line that it answers was refused.
    mutating func refusalLine(_ problem: Problem) {
        object { writer in
            writer.key("error")
            writer.problem(problem)
        }
        endLine()
    }

    /// A line for each one of a batch that was refused.
    mutating func refusalLines<Accepted>(of batch: ArraySlice<Result<Accepted, Problem>>) {
        for case .failure(let problem) in batch { refusalLine(problem) }
    }
}
