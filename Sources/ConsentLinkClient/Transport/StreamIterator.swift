import AsyncHTTPClient
import NIOCore

/// Reads the body of an answer, whose end is known to be its end.
struct StreamIterator {
    private var body: HTTPClientResponse.Body.AsyncIterator

    init(_ response: HTTPClientResponse) { body = response.body.makeAsyncIterator() }

    mutating func next() async throws -> ByteBuffer? {
        do {
            let piece = try await body.next()
            // A body ends without an error when its reader is cancelled.
            if piece == nil { try Task.checkCancellation() }
            return piece
        } catch {
            if error is CancellationError || Task.isCancelled { throw CancellationError() }
            throw ConsentLinkError.brokenOff(reason: error.connectionText)
        }
    }
}
