/// Remembers for 24 hours at least which requests had their effect. The write that has the effect enters the request in
/// the same transaction, so there is never one without the other, even after a crash. All calls may be concurrent.
///
/// A request counts until it is deleted, whatever the clock shows: a clock that is ahead for a moment must not make a
/// repeated yes outlive the no after it.
package protocol IdempotencyStore: Sendable {
    /// The request that had its effect under the key of a fingerprint, with any body; `nil` if none is stored.
    func request(under key: [UInt8]) async throws -> IdempotencyRecord?
}
