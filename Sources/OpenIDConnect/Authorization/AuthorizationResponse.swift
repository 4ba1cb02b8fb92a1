import Cryptography

/// The provider's answer at the redirect (RFC 6749, 4.1.2), read from the query that the browser brought.
struct AuthorizationResponse: Sendable {
    static let maximumQueryLength = 8 << 10
    private static let maximumCodeLength = 4 << 10
    private static let maximumParameterCount = 32

    let code: String

    /// The state is compared first: nothing else is read of an answer to another request.
    ///
    /// - Parameters:
    ///   - query: the query of the request's target, as it was sent, without the question mark.
    ///   - sendsIssuer: whether the provider states that each answer has `iss`.
    init(
        query: String, _ pending: PendingSignIn, issuer: SecureURL, sendsIssuer: Bool, now: UnixTime
    ) throws(SignInFailure) {
        let parameters = try Self.parameters(query, of: pending)
        guard pending.isAlive(at: now) else { throw .answer(.expired) }
        if let found = parameters["iss"] {
            guard found.hasSameBytes(as: issuer.description) else { throw .answer(.issuer) }
        } else if sendsIssuer {
            throw .answer(.issuerMissing)
        }
        if let error = parameters["error"] {
            guard parameters["code"] == nil else { throw .answer(.codeAndError) }
            throw .refused(ProviderRefusal(error))
        }
        guard let code = parameters["code"], (1...Self.maximumCodeLength).contains(code.utf8.count), code.isPrintable
        else { throw .answer(.code) }
        self.code = code
    }

    /// The parameters of an answer to exactly this request.
    fileprivate static func parameters(
        _ query: String, of pending: PendingSignIn
    ) throws(SignInFailure) -> [String: String] {
        let parameters = try parameters(query)
        guard let state = parameters["state"], constantTimeEqual(Array(state.utf8), Array(pending.state.utf8)) else {
            throw .answer(.state)
        }
        return parameters
    }

    private static func parameters(_ query: String) throws(SignInFailure) -> [String: String] {
        guard query.utf8.count <= maximumQueryLength else { throw .answer(.tooLong) }
        var parameters: [String: String] = [:]
        guard !query.isEmpty else { return [:] }
        let pairs = query.split(separator: "&", omittingEmptySubsequences: false)
        guard pairs.count <= maximumParameterCount else { throw .answer(.tooLong) }
        for pair in pairs {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = FormEncoding.decode(halves[0]),
                let value = FormEncoding.decode(halves[1])
            else { throw .answer(.malformed) }
            guard parameters.updateValue(value, forKey: name) == nil else { throw .answer(.duplicate) }
        }
        return parameters
    }
}

extension PendingSignIn {
    /// Checks whether a query answers this request. Must be called before the stored value is removed: any page can
    /// send a browser to the redirect URI, and an answer to another request must leave this value stored.
    ///
    /// - Parameter query: the query of the request's target, as it was sent, without the question mark.
    /// - Throws: a failure if it is no answer to this request.
    package func mustBeAnswered(by query: String) throws(SignInFailure) {
        _ = try AuthorizationResponse.parameters(query, of: self)
    }
}
