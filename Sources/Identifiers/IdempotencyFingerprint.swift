/// What a request is recognised by that must have its effect once, however often it is sent.
///
/// Both are keyed hashes, 32 bytes: what is stored of them does not tell which client sent what.
package struct IdempotencyFingerprint: Hashable, Sendable {
    /// Of the client, the path and the idempotency key.
    package let key: [UInt8]
    /// Of its body: under one key there is one body.
    package let body: [UInt8]

    package init(key: [UInt8], body: [UInt8]) {
        self.key = key
        self.body = body
    }
}

/// A request with the same key has had its effect already. What this one asked for was not done.
package struct IdempotencyKeyTaken: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a request with this key has had its effect already" }
}
