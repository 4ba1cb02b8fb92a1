package import Identifiers
package import Organizations
import Synchronization

/// Lets a request with an `Idempotency-Key` have its effect once, however often it is sent.
///
/// The store enforces this: it enters the request in the transaction that has the effect, and refuses a second one.
/// It keeps references only; the answer to a repeated request is made anew from what they lead to. A request that was
/// refused is not kept.
package final class IdempotentRequests: Sendable {
    private let log: any IdempotencyStore
    private let fingerprinter: IdempotencyFingerprinter
    private let now: @Sendable () -> Timestamp
    /// Guards the keys of requests that are being worked on.
    private let running = Mutex<Set<[UInt8]>>([])

    package init(
        log: any IdempotencyStore, fingerprinter: IdempotencyFingerprinter, now: @escaping @Sendable () -> Timestamp
    ) {
        self.log = log
        self.fingerprinter = fingerprinter
        self.now = now
    }

    /// The answer of `make`, or of `replay` when the request had its effect before.
    ///
    /// - Parameters:
    ///   - path: the same for every spelling that leads to one route.
    ///   - make: has the effect, and stores the fingerprint with it in one transaction.
    ///   - replay: answers from what was made.
    /// - Throws: ``RequestRefusal/idempotencyKeyReused`` for a key that was used with another body,
    ///   ``RequestRefusal/stillRunning`` while a request with the key is being worked on.
    @inline(never)
    package func answer<Answer>(
        _ key: IdempotencyKey, of principal: Principal, path: String, body: [UInt8],
        make: (IdempotencyFingerprint) async throws -> Answer, replay: (RequestEffect) async throws -> Answer
    ) async throws -> Answer {
        let fingerprint = try fingerprinter.fingerprint(of: principal, path: path, key: key, body: body)
        guard running.withLock({ $0.insert(fingerprint.key).inserted }) else { throw RequestRefusal.stillRunning }
        defer { _ = running.withLock { $0.remove(fingerprint.key) } }
        if let effect = try await effect(of: fingerprint) { return try await replay(effect) }
        return try await make(fingerprint)
    }

    private func effect(of fingerprint: IdempotencyFingerprint) async throws -> RequestEffect? {
        guard let kept = try await log.request(under: fingerprint.key, at: now()) else { return nil }
        guard kept.fingerprint.body == fingerprint.body else { throw RequestRefusal.idempotencyKeyReused }
        return kept.effect
    }
}
