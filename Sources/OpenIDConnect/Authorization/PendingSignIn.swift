import Cryptography

/// The state of one sign-in, from the request to the answer. The caller must store it, bound to one browser.
///
/// It may be used once: if ``mustBeAnswered(by:)`` accepts an answer, the caller must remove the stored value before it
/// calls ``RelyingParty/finish(query:_:now:)``. The value must stay removed even if that call fails.
package struct PendingSignIn: Equatable, Sendable {
    /// The lifetime in seconds.
    package static let lifetime: Int64 = 600
    private static let secretLength = 32

    package let state: String
    package let nonce: String
    package let codeVerifier: String
    package let madeAt: UnixTime
    package let freshness: SignInFreshness

    /// Restores a value that the caller has stored.
    package init(state: String, nonce: String, codeVerifier: String, madeAt: UnixTime, freshness: SignInFreshness) {
        self.state = state
        self.nonce = nonce
        self.codeVerifier = codeVerifier
        self.madeAt = madeAt
        self.freshness = freshness
    }

    /// State, nonce and code verifier are 256 bits each.
    ///
    /// - Parameter generator: must be cryptographically secure.
    init(_ freshness: SignInFreshness, now: UnixTime, using generator: inout some RandomNumberGenerator) {
        self.init(
            state: Self.secret(&generator), nonce: Self.secret(&generator), codeVerifier: Self.secret(&generator),
            madeAt: now, freshness: freshness)
    }

    private static func secret(_ generator: inout some RandomNumberGenerator) -> String {
        Base64URL.encode(generator.bytes(secretLength))
    }

    /// A time before the value was made is not within its lifetime either.
    func isAlive(at now: UnixTime) -> Bool {
        madeAt <= now && now < madeAt.advanced(by: Self.lifetime)
    }
}

extension PendingSignIn: CustomStringConvertible, CustomReflectable {
    package var description: String { "(pending sign-in)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether an older session at the provider is enough.
package enum SignInFreshness: String, Sendable {
    case session
    /// The account must authenticate again (`prompt=login`, `max_age=0`), and the token must say that it did.
    case newAuthentication
}
