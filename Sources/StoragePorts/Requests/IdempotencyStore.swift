package import Identifiers

/// Remembers for 24 hours which requests had their effect. The write that has the effect enters the request in the same
/// transaction, so there is never one without the other, even after a crash. All calls may be concurrent.
package protocol IdempotencyStore: Sendable {
    /// The request that had its effect under the key of a fingerprint, with any body; `nil` if there was none within 24
    /// hours before `now`.
    func request(under key: [UInt8], at now: Timestamp) async throws -> IdempotencyRecord?
}
