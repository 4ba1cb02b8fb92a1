import Testing

@testable import OpenIDConnect

@Suite struct TokenResponseTests {
    static let refusals: [(reply: ProviderResponse, failure: SignInFailure)] = [
        (.json(#"{"error":"invalid_grant"}"#, status: 400), .codeRefused(.invalidGrant)),
        (.json(#"{"error":"invalid_client","error_description":"x"}"#, status: 401), .codeRefused(.invalidClient)),
        (.json(#"{"error":"what"}"#, status: 400), .codeRefused(.other)),
        (.json(#"{"error":7}"#, status: 400), .document(.token, .status(400))),
        (.json("<html>", status: 401, type: "text/html"), .document(.token, .status(401))),
        (.json(#"{"error":"invalid_grant"}"#, status: 403), .codeRefused(.invalidGrant)),
        (.json(#"{"error":"invalid_grant"}"#, status: 503), .document(.token, .status(503))),
        (.json(#"{"error":"temporarily_unavailable"}"#, status: 400), .codeRefused(.temporarilyUnavailable)),
        (.json("<html>", status: 404, type: "text/html"), .document(.token, .status(404))),
        (.json("<html>", type: "text/html"), .document(.token, .mediaType)),
        (.json("{}"), .token(.missing)), (.json(#"{"access_token":"a"}"#), .token(.missing)),
        (.json(#"{"id_token":null}"#), .document(.token, .shape)),
        (.json(#"{"id_token":["a"]}"#), .document(.token, .shape)),
        (.json(#"{"id_token":""}"#), .token(.form)),
        (.json(#"{"error":"invalid_grant"}"#), .codeRefused(.invalidGrant)),
        (.json(#"{"id_token":"a","id_token":"b"}"#), .document(.token, .duplicateMember)),
    ]

    @Test("an answer of the token endpoint without an ID token is refused", arguments: refusals)
    func refused(_ reply: ProviderResponse, _ failure: SignInFailure) async throws {
        let provider = SampleProvider { $0.replies[.token] = reply }
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await #expect(throws: failure) { try await client.finish() }
    }

    @Test("a wrong answer at the redirect asks the token endpoint nothing")
    func noRequest() async throws {
        let provider = SampleProvider()
        let client = RelyingParty(try Sample.settings(), transport: provider)
        for query in ["state=wrong&code=c", "state=the-state&error=access_denied", "state=the-state"] {
            await #expect(throws: SignInFailure.self) { try await client.finish(query) }
        }
        #expect(provider.count(.token) == 0)
    }
}
