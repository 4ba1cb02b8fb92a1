import Hummingbird
import NIOCore

/// The body of a request, piece by piece as it arrives. Who does not ask for more keeps the client from sending it.
final class ArrivingBody: @unchecked Sendable {
    // Sendable: one task at a time asks, first the one that handles the request, then the one that reads its lines.
    private var iterator: RequestBody.AsyncIterator
    private let allowance: BodyAllowance

    /// Short lines are held whatever the budget says: an import does not break off because of others' bodies.
    private static let freeBytes = 256 << 10

    /// - Parameter allowance: of the request; the bytes of an unfinished line are taken from it.
    init(_ request: Request, counting allowance: BodyAllowance) {
        iterator = request.body.makeAsyncIterator()
        self.allowance = allowance
    }

    convenience init(_ call: AuthenticatedRequest) { self.init(call.request, counting: call.body) }

    /// Notes how many bytes of it are held, because the line that they belong to has not ended. They count against the
    /// budget of all bodies.
    /// - Throws: 503 where that has no room.
    func hold(_ count: Int) throws { try allowance.hold(max(0, count - Self.freeBytes)) }

    /// - Returns: `nil` after the last piece.
    /// - Throws: when the connection broke off.
    func next() async throws -> ByteBuffer? { try await iterator.next() }
}
