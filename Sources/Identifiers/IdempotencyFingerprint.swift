/// What a request is recognised by that must have its effect once, however often it is sent.
///
/// Both are keyed hashes, 32 bytes: from what is stored of them nobody can tell who has sent what.
package struct IdempotencyFingerprint: Hashable, Sendable {
    /// Of who has sent it, where to, and the key that they gave it.
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
