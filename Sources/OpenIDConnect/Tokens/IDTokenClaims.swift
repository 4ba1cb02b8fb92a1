import Cryptography
import JSON

/// The claims of an ID token with a valid signature, checked to be for this client, this request and this time (OpenID
/// Connect Core 1.0, 3.1.3.7).
struct IDTokenClaims: Sendable {
    /// How far the clocks of provider and service may differ, in seconds.
    static let skew: Int64 = 60
    /// The greatest age of a token that was just fetched, in seconds.
    static let maximumAge: Int64 = 600
    private static let maximumSubjectLength = 255
    private static let maximumAudienceCount = 16

    let subject: String
    let authenticatedAt: UnixTime?
    /// All claims of the token.
    let all: JSONObject

    init(
        _ claims: JSONObject, issuer: SecureURL, clientID: String, _ pending: PendingSignIn, now: UnixTime
    ) throws(SignInFailure) {
        guard let found = claims.text("iss"), found.hasSameBytes(as: issuer.description) else {
            throw .token(.issuer)
        }
        try Self.checkAudience(claims, clientID)
        try Self.checkTimes(claims, now)
        guard let nonce = claims.text("nonce"), constantTimeEqual(Array(nonce.utf8), Array(pending.nonce.utf8)) else {
            throw .token(.nonce)
        }
        authenticatedAt = try Self.authenticationTime(claims, pending, now)
        guard let subject = claims.text("sub"), (1...Self.maximumSubjectLength).contains(subject.utf8.count),
            subject.isPrintable
        else { throw .token(.subject) }
        self.subject = subject
        all = claims
    }

    private static func checkAudience(_ claims: JSONObject, _ clientID: String) throws(SignInFailure) {
        let audiences: [JSONValue]
        switch claims["aud"] {
        case .string(let one): audiences = [.string(one)]
        case .array(let several): audiences = several
        default: throw .token(.audience)
        }
        guard audiences.count <= maximumAudienceCount, audiences.contains(.string(clientID)) else {
            throw .token(.audience)
        }
        let party = claims["azp"]
        guard party == .string(clientID) || party == nil && audiences.count == 1 else {
            throw .token(.authorizedParty)
        }
    }

    private static func checkTimes(_ claims: JSONObject, _ now: UnixTime) throws(SignInFailure) {
        guard let expiry = claims.time("exp"), now < expiry else { throw .token(.expired) }
        guard let issued = claims.time("iat"), issued <= now.advanced(by: skew) else { throw .token(.issuedAt) }
        guard issued >= now.advanced(by: -maximumAge) else { throw .token(.tooOld) }
        guard claims["nbf"] != nil else { return }
        guard let start = claims.time("nbf"), start <= now.advanced(by: skew) else { throw .token(.notBefore) }
    }

    /// For a fresh sign-in the account must have authenticated after the request was made, within the skew of the
    /// clocks. The time until the answer does not matter: the request has a lifetime of its own.
    private static func authenticationTime(
        _ claims: JSONObject, _ pending: PendingSignIn, _ now: UnixTime
    ) throws(SignInFailure) -> UnixTime? {
        let time = claims.time("auth_time")
        // For example milliseconds in place of seconds: it would count as a proof that was given just now.
        if let time, time > now.advanced(by: skew) { throw .token(.authenticationInFuture) }
        guard pending.freshness == .newAuthentication else { return time }
        guard let time, time >= pending.madeAt.advanced(by: -skew) else { throw .token(.authenticationTime) }
        return time
    }
}

extension JSONObject {
    /// 2^53: up to this number a JSON number is exact for every reader.
    private static let latest: Double = 9_007_199_254_740_992

    /// A NumericDate (RFC 7519, 2), whose fraction of a second is dropped. `nil` if there is none.
    fileprivate func time(_ name: String) -> UnixTime? {
        guard case .number(let number)? = self[name], let double = number.double, (0...Self.latest).contains(double)
        else { return nil }
        return UnixTime(seconds: Int64(double))
    }
}
