package import Identifiers
package import StoragePorts
import Synchronization

/// Lets a request with an `Idempotency-Key` have its effect once, even if it is sent several times.
///
/// The store enforces this: it enters the request in the transaction of the effect, and refuses a second one. It stores
/// references only; the answer to a repeated request is made again from what they refer to. A refused request is not
/// stored.
package final class IdempotentRequests: Sendable {
    private let store: any IdempotencyStore
    private let fingerprinter: IdempotencyFingerprinter
    /// Guards the keys of running requests.
    private let running = Mutex<Set<[UInt8]>>([])

    package init(store: any IdempotencyStore, fingerprinter: IdempotencyFingerprinter) {
        self.store = store
        self.fingerprinter = fingerprinter
    }

    /// The answer of `make`, or of `replay` if the request had its effect before.
    ///
    /// - Parameters:
    ///   - path: must be the same for every spelling of a route.
    ///   - make: has the effect, and stores the fingerprint with it in one transaction.
    ///   - replay: answers from the stored effect.
    /// - Throws: ``RequestRefusal/idempotencyKeyReused`` for a key that was used with another body,
    ///   ``RequestRefusal/stillRunning`` if another request with the key is still running.
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
        guard let kept = try await store.request(under: fingerprint.key) else { return nil }
        guard kept.fingerprint.body == fingerprint.body else { throw RequestRefusal.idempotencyKeyReused }
        return kept.effect
    }
}
