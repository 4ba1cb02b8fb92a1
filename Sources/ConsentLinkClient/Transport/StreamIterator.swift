import AsyncHTTPClient
import NIOCore

/// Reads the body of an answer, and tells its end from a broken connection.
struct StreamIterator {
    private let body: Body
    /// How long it waits for the next piece.
    private let silence: Duration
    /// Why it broke off: a further read would be taken for the end.
    private var failure: ConsentLinkError?

    private final class Body {
        private var iterator: HTTPClientResponse.Body.AsyncIterator

        init(_ iterator: HTTPClientResponse.Body.AsyncIterator) { self.iterator = iterator }

        func next() async throws -> ByteBuffer? { try await iterator.next() }
    }

    init(_ response: HTTPClientResponse, silence: Duration) {
        body = Body(response.body.makeAsyncIterator())
        self.silence = silence
    }

    /// - Returns: `nil` at the end.
    /// - Throws: ``ConsentLinkError/brokenOff(reason:)`` if the connection breaks, or if nothing arrives for too long;
    ///   the same error from then on. `CancellationError`.
    mutating func next() async throws -> ByteBuffer? {
        if let failure { throw failure }
        do {
            // Only one task at a time uses it: the time limit returns after the reading task has ended.
            nonisolated(unsafe) let body = body
            let piece = try await withTimeLimit(silence) { try await body.next() }
            // A body ends without an error if its reader is cancelled.
            if piece == nil { try Task.checkCancellation() }
            return piece
        } catch {
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
            let isSilent = (error as? HTTPClientError) == .deadlineExceeded
            let broken = ConsentLinkError.brokenOff(
                reason: isSilent ? ConnectionWords.silent : error.connectionText)
            failure = broken
            throw broken
        }
    }
}

@available(*, unavailable) extension StreamIterator: Sendable {}
