import Hummingbird
import NIOCore

/// The body of a request, piece by piece as it arrives. While the caller does not ask for more, the client cannot send.
final class ArrivingBody: @unchecked Sendable {
    // Sendable: one task at a time uses it, first the one that handles the request, then the one that reads its lines.
    private var iterator: RequestBody.AsyncIterator
    private let allowance: BodyAllowance

    /// In bytes: this much of an unfinished line is held even if the budget has no room. An import must not break off
    /// because of other requests' bodies.
    private static let freeBytes = 256 << 10

    /// - Parameter allowance: the request's share of the budget; the bytes of an unfinished line count against it.
    init(_ request: Request, counting allowance: BodyAllowance) {
        iterator = request.body.makeAsyncIterator()
        self.allowance = allowance
    }

    convenience init(_ call: AuthenticatedRequest) { self.init(call.request, counting: call.body) }

    /// Notes how many bytes are held because their line has not ended. They count against the budget of all bodies.
    /// - Throws: 503 if the budget has no room.
    func hold(_ count: Int) throws { try allowance.hold(max(0, count - Self.freeBytes)) }

    /// - Returns: `nil` after the last piece.
    /// - Throws: if the connection broke off.
    func next() async throws -> ByteBuffer? { try await iterator.next() }
}
