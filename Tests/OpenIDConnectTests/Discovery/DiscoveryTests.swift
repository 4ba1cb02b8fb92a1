import Testing

@testable import OpenIDConnect

@Suite struct DiscoveryTests {
    private func client(_ documents: (inout SampleProvider.Documents) -> Void) throws -> RelyingParty {
        RelyingParty(try Sample.settings(), transport: SampleProvider(documents))
    }

    /// A provider with another value of one member of its discovery document; `nil` for no such member.
    private static func provider(_ member: String, _ value: String?) -> SampleProvider {
        SampleProvider {
            var discovery = Sample.discovery()
            discovery[member] = value
            $0.discovery = Sample.json(discovery)
        }
    }

    static let changes: [(member: String, value: String?, failure: SignInFailure)] = [
        ("issuer", nil, .document(.discovery, .shape)), ("issuer", "7", .document(.discovery, .shape)),
        ("issuer", #""https://id.example.com/realms/a/""#, .metadata(.issuer)),
        ("issuer", #""https://id.example.com/realms/A""#, .metadata(.issuer)),
        ("issuer", #""https://evil.example""#, .metadata(.issuer)),
        ("authorization_endpoint", nil, .document(.discovery, .shape)),
        ("authorization_endpoint", #""http://id.example.com/a""#, .metadata(.endpoint)),
        ("authorization_endpoint", #""javascript:alert(1)""#, .metadata(.endpoint)),
        ("authorization_endpoint", #""https://id.example.com/a#b""#, .metadata(.endpoint)),
        ("token_endpoint", nil, .document(.discovery, .shape)),
        ("token_endpoint", #""https://a@id.example.com/""#, .metadata(.endpoint)),
        ("token_endpoint", #""http://127.0.0.1/""#, .metadata(.endpoint)),
        ("token_endpoint", #""http://[::1]:8081/v1/orgs""#, .metadata(.endpoint)),
        ("jwks_uri", nil, .document(.discovery, .shape)), ("jwks_uri", #""""#, .metadata(.endpoint)),
        ("jwks_uri", #""/keys""#, .metadata(.endpoint)), ("jwks_uri", #""file:///etc/passwd""#, .metadata(.endpoint)),
        ("jwks_uri", #""http://localhost/keys""#, .metadata(.endpoint)),
        ("response_types_supported", nil, .metadata(.responseType)),
        ("response_types_supported", #"["id_token"]"#, .metadata(.responseType)),
        ("response_types_supported", #""code""#, .document(.discovery, .shape)),
        ("id_token_signing_alg_values_supported", nil, .metadata(.algorithms)),
        ("id_token_signing_alg_values_supported", #"["none","HS256"]"#, .metadata(.algorithms)),
        ("id_token_signing_alg_values_supported", "[7]", .document(.discovery, .shape)),
        ("code_challenge_methods_supported", #"["plain"]"#, .metadata(.challengeMethod)),
        ("code_challenge_methods_supported", "[]", .metadata(.challengeMethod)),
        ("token_endpoint_auth_methods_supported", #"["private_key_jwt"]"#, .metadata(.clientAuthentication)),
        ("token_endpoint_auth_methods_supported", "[]", .metadata(.clientAuthentication)),
        ("authorization_response_iss_parameter_supported", #""true""#, .document(.discovery, .shape)),
    ]

    @Test("a discovery document that is not as it must be is refused", arguments: changes)
    func refused(_ member: String, _ value: String?, _ failure: SignInFailure) async throws {
        let provider = Self.provider(member, value)
        let settings = try Sample.settings()
        let documents = ProviderDocuments(settings, provider)
        await #expect(throws: failure) { try await documents.metadata(now: Sample.now) }
        await #expect(throws: failure) { try await RelyingParty(settings, transport: provider).finish() }
    }

    @Test(
        "members that help are taken",
        arguments: [
            ("code_challenge_methods_supported", #"["plain","S256"]"#),
            ("token_endpoint_auth_methods_supported", #"["client_secret_post"]"#),
            ("token_endpoint", #""https://elsewhere.example.com:8443/token?a=b""#), ("anything", "{}"),
        ])
    func taken(_ member: String, _ value: String) async throws {
        _ = try await ProviderDocuments(Sample.settings(), Self.provider(member, value)).metadata(now: Sample.now)
    }

    static let replies: [(reply: ProviderResponse, fault: DocumentFault)] = [
        (.json("{}", status: 301), .redirect), (.json("{}", status: 307), .redirect),
        (.json("", status: 404), .status(404)),
        (.json("{}", status: 500), .status(500)), (.json("{}", status: 204), .status(204)),
        (.json("{}", type: nil), .mediaType), (.json("{}", type: "text/html"), .mediaType),
        (.json("{}", type: "application/jsonp"), .mediaType), (.json(""), .notJSON), (.json("<html>"), .notJSON),
        (.json("[]"), .shape), (.json("7"), .shape), (.json("{}x"), .notJSON), (.json("{} {}"), .notJSON),
        (.json(#"{"issuer":"a","issuer":"b"}"#), .duplicateMember),
        (.json(#"{"keys":[{"kid":"a","k\u0069d":"b"}]}"#), .duplicateMember),
        (.json(#"{"a":"# + String(repeating: "[", count: 17) + String(repeating: "]", count: 17) + "}"), .notJSON),
    ]

    @Test("an answer that is not a JSON object is refused, whichever document it is", arguments: replies)
    func notADocument(_ reply: ProviderResponse, _ fault: DocumentFault) async throws {
        let key = try await TestKey.make()
        for document in ProviderDocument.allCases {
            let provider = SampleProvider(key, token: try TestToken(key).text(key.signer))
            provider.change { $0.replies[document] = reply }
            let client = RelyingParty(try Sample.settings(), transport: provider)
            await #expect(throws: SignInFailure.document(document, fault)) { try await client.finish() }
        }
    }

    @Test(
        "no answer is refused, whichever document it is",
        arguments: [(.late, .late), (.tooLarge, .tooLarge), (.unreachable, .unreachable)]
            as [(TransportFailure, DocumentFault)])
    func noAnswer(_ failure: TransportFailure, _ fault: DocumentFault) async throws {
        let key = try await TestKey.make()
        for document in ProviderDocument.allCases {
            let provider = SampleProvider(key, token: try TestToken(key).text(key.signer))
            provider.change { $0.failures[document] = failure }
            let client = RelyingParty(try Sample.settings(), transport: provider)
            await #expect(throws: SignInFailure.document(document, fault)) { try await client.finish() }
        }
    }

    @Test("the document is where the standard says, with or without a path")
    func place() throws {
        for (issuer, url) in [
            ("https://a.example", "https://a.example/.well-known/openid-configuration"),
            ("https://a.example/", "https://a.example/.well-known/openid-configuration"),
            ("https://a.example/b/c/", "https://a.example/b/c/.well-known/openid-configuration"),
        ] {
            let issuer = try #require(SecureURL(issuer))
            #expect(ProviderMetadata.url(of: issuer)?.description == url)
        }
    }
}
