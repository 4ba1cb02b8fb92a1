import Hummingbird
import NIOCore

/// The body of a request, piece by piece as it arrives. Who does not ask for more keeps the client from sending it.
final class ArrivingBody: @unchecked Sendable {
    // Sendable: one task at a time asks, first the one that handles the request, then the one that reads its lines.
    private var iterator: RequestBody.AsyncIterator

    init(_ request: Request) { iterator = request.body.makeAsyncIterator() }

    /// - Returns: `nil` after the last piece.
    /// - Throws: when the connection broke off.
    func next() async throws -> ByteBuffer? { try await iterator.next() }
}
