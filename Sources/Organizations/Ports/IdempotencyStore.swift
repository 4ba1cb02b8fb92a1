package import Identifiers

/// Remembers for 24 hours which requests had their effect. They are entered by the write that has the effect, in its
/// transaction: there is never one without the other, not even after a crash. May be called at once from anywhere.
package protocol IdempotencyStore: Sendable {
    /// The request that had its effect under the key of a fingerprint, whatever its body was; `nil` when there was none
    /// within 24 hours before `now`.
    func request(under key: [UInt8], at now: Timestamp) async throws -> IdempotencyRecord?
}
