/// The client at one provider: begins sign-ins and ends them.
///
/// Any number of tasks may use it at once. It caches the provider's documents, and stores no sign-in.
package struct RelyingParty: Sendable {
    /// The longest query from the provider, in bytes. A longer one is no answer.
    package static let maximumAnswerSize = AuthorizationResponse.maximumQueryLength

    /// Where the provider sends browsers.
    package var redirectURI: SecureURL { settings.redirectURI }

    private let settings: ProviderSettings
    private let transport: any ProviderTransport
    private let documents: ProviderDocuments

    package init(_ settings: ProviderSettings, transport: any ProviderTransport = HTTPTransport()) {
        self.settings = settings
        self.transport = transport
        documents = ProviderDocuments(settings, transport)
    }

    /// - Parameter generator: must be cryptographically secure.
    package func begin(
        _ freshness: SignInFreshness = .session, now: UnixTime, using generator: inout some RandomNumberGenerator
    ) async throws(SignInFailure) -> AuthorizationRequest {
        let metadata = try await documents.metadata(now: now)
        return AuthorizationRequest(settings, metadata, freshness, now: now, using: &generator)
    }

    /// Ends a sign-in with the query that the browser brought to the redirect URI.
    ///
    /// - Parameters:
    ///   - query: the query of the request's target, as it was sent, without the question mark.
    ///   - pending: the stored state of this browser; the caller must have removed it from its store.
    package func finish(
        query: String, _ pending: PendingSignIn, now: UnixTime
    ) async throws(SignInFailure) -> SignedInAccount {
        let metadata = try await documents.metadata(now: now)
        let answer = try AuthorizationResponse(
            query: query, pending, issuer: settings.issuer, sendsIssuer: metadata.sendsIssuer, now: now)
        let token = try SignedToken(try await exchange(answer.code, pending, metadata))
        guard metadata.algorithms.contains(token.algorithm) else { throw .token(.algorithmNotAnnounced) }
        try await checkSignature(of: token, metadata, now: now)
        let claims = try IDTokenClaims(
            try token.claims(), issuer: settings.issuer, clientID: settings.clientID, pending, now: now)
        return try SignedInAccount(claims, settings)
    }

    /// The cached keys may be older than the key that signed. A token that does not fit them is checked again with newer
    /// ones.
    private func checkSignature(
        of token: SignedToken, _ metadata: ProviderMetadata, now: UnixTime
    ) async throws(SignInFailure) {
        do throws(SignInFailure) {
            return try await checkSignature(of: token, metadata, newer: false, now: now)
        } catch {
            switch error {
            case .token(.keyUnknown), .token(.keyUnsuitable): break
            // Without a name, any of the provider's keys may be meant.
            case .token(.signature) where token.keyIdentifier == nil: break
            case .token(.keyAmbiguous) where token.keyIdentifier == nil: break
            default: throw error
            }
        }
        try await checkSignature(of: token, metadata, newer: true, now: now)
    }

    private func checkSignature(
        of token: SignedToken, _ metadata: ProviderMetadata, newer: Bool, now: UnixTime
    ) async throws(SignInFailure) {
        let key = try await documents.key(token.keyIdentifier, token.algorithm, metadata, newer: newer, now: now)
        let check = SignatureCheck(algorithm: token.algorithm, key: key)
        guard await check.accepts(token.signature, of: token.signed) else { throw .token(.signature) }
    }

    private func exchange(
        _ code: String, _ pending: PendingSignIn, _ metadata: ProviderMetadata
    ) async throws(SignInFailure) -> String {
        let request = TokenRequest.make(settings, metadata, code: code, verifier: pending.codeVerifier)
        let response: ProviderResponse
        do throws(DocumentFault) {
            response = try await transport.answer(to: request)
        } catch {
            throw .document(.token, error)
        }
        return try TokenResponse(response).idToken
    }
}
