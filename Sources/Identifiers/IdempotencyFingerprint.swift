/// Identifies a request that must have its effect once, even if it is sent several times.
///
/// Both parts are keyed hashes of 32 bytes, which do not reveal which client sent which request.
package struct IdempotencyFingerprint: Hashable, Sendable {
    /// The hash of the client, the path and the idempotency key.
    package let key: [UInt8]
    /// The hash of the body. All requests with one key must have the same body.
    package let body: [UInt8]

    package init(key: [UInt8], body: [UInt8]) {
        self.key = key
        self.body = body
    }
}

/// A request with the same key has had its effect already. The effect of this request was not carried out.
package struct IdempotencyKeyTaken: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a request with this key has had its effect already" }
}
