import Hummingbird
import Identifiers
import Organizations
import Synchronization

/// Sees to it that a request with an `Idempotency-Key` has its effect once, however often it is sent.
///
/// What keeps it so is the store: it enters the request in the transaction that has the effect, and refuses a second.
/// What is kept are references; the answer to a repeated request is written anew from what they lead to. A request that
/// was refused is not kept.
final class RepeatableRequests: Sendable {
    private let log: any RequestLog
    private let marker: RequestMarker
    private let now: @Sendable () -> Timestamp
    /// Guards the keys of requests that are being worked on.
    private let running = Mutex<Set<[UInt8]>>([])

    init(log: any RequestLog, marker: RequestMarker, now: @escaping @Sendable () -> Timestamp) {
        self.log = log
        self.marker = marker
        self.now = now
    }

    /// The answer of `make`, or of `again` when the request had its effect before.
    ///
    /// - Parameters:
    ///   - make: has the effect, and enters the mark with it; `nil` for a request without a key.
    ///   - again: answers from what was made.
    /// - Throws: 422 for a key that was used with another body, 409 while a request with the key is being worked on.
    @inline(never)
    func answer(
        _ call: Call, body: [UInt8], make: (RequestMark?) async throws -> Response,
        again: (RequestEffect) async throws -> Response
    ) async throws -> Response {
        guard let key = try call.request.idempotencyKey else { return try await make(nil) }
        let mark = try marker.mark(of: call.caller, path: call.canonicalPath, key: key, body: body)
        guard running.withLock({ $0.insert(mark.key).inserted }) else {
            throw Problem.stillRunning
        }
        defer { _ = running.withLock { $0.remove(mark.key) } }
        if let effect = try await effect(of: mark) { return try await again(effect) }
        return try await make(mark)
    }

    private func effect(of mark: RequestMark) async throws -> RequestEffect? {
        guard let kept = try await log.request(under: mark.key, at: now()) else { return nil }
        guard kept.mark.body == mark.body else {
            throw Problem(.unprocessableContent, "This Idempotency-Key was used for a request with another body.")
        }
        return kept.effect
    }
}
