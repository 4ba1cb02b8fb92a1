import Testing

@testable import OpenIDConnect

/// Tokens with a right signature and wrong claims.
@Suite struct ClaimRefusalTests {
    private static let now = Sample.now.seconds

    static let table: [(claim: String, value: String?, fault: TokenFault)] = [
        ("iss", nil, .issuer), ("iss", "null", .issuer), ("iss", #""https://id.example.com/realms/b""#, .issuer),
        ("iss", #""https://id.example.com/realms/a/""#, .issuer),
        ("iss", #""HTTPS://id.example.com/realms/a""#, .issuer),
        ("iss", #"["https://id.example.com/realms/a"]"#, .issuer),
        ("aud", nil, .audience), ("aud", #""other""#, .audience), ("aud", "[]", .audience), ("aud", #""""#, .audience),
        ("aud", #""Console""#, .audience), ("aud", #"["other"]"#, .audience), ("aud", #"{"console":1}"#, .audience),
        ("aud", #"["console","other"]"#, .authorizedParty), ("aud", #"["console","console"]"#, .authorizedParty),
        ("aud", "[" + Array(repeating: #""console""#, count: 17).joined(separator: ",") + "]", .audience),
        ("azp", #""other""#, .authorizedParty), ("azp", "null", .authorizedParty), ("azp", "7", .authorizedParty),
        ("exp", nil, .expired), ("exp", "\(now)", .expired), ("exp", "\(now - 1)", .expired), ("exp", "0", .expired),
        ("exp", "-1", .expired), ("exp", "1e400", .expired), ("exp", "1e300", .expired),
        ("exp", "\"\(now + 300)\"", .expired), ("exp", "null", .expired), ("exp", "\(now).9", .expired),
        ("iat", nil, .issuedAt), ("iat", "\(now + 61)", .issuedAt), ("iat", "true", .issuedAt),
        ("iat", "\(now - 601)", .tooOld), ("iat", "0", .tooOld), ("nbf", "\(now + 61)", .notBefore),
        ("nbf", "null", .notBefore), ("nbf", #""soon""#, .notBefore),
        ("auth_time", "\(now + 61)", .authenticationInFuture), ("auth_time", "\(now * 1000)", .authenticationInFuture),
        ("nonce", nil, .nonce), ("nonce", #""""#, .nonce), ("nonce", #""the-nonc""#, .nonce),
        ("nonce", #""the-nonce2""#, .nonce), ("nonce", #""The-nonce""#, .nonce), ("nonce", "7", .nonce),
        ("nonce", #"["the-nonce"]"#, .nonce),
        ("sub", nil, .subject), ("sub", #""""#, .subject), ("sub", "7", .subject), ("sub", #""änne""#, .subject),
        ("sub", #""a\u0000""#, .subject), ("sub", #""a\nb""#, .subject),
        ("sub", "\"" + String(repeating: "a", count: 256) + "\"", .subject),
    ]

    @Test("a claim that is not as it must be is refused for its own reason", arguments: table)
    func refused(_ claim: String, _ value: String?, _ fault: TokenFault) async throws {
        let key = try await TestKey.make(.edDSA)
        var token = TestToken(key)
        token.claims[claim] = value
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await #expect(throws: SignInFailure.token(fault)) { try await client.finish() }
    }

    @Test(
        "roles that cannot be read are told with their account, which has none of them",
        arguments: [
            "7", "{}", #"["admins",7]"#, #"[["admins"]]"#, "true",
            "[" + Array(repeating: #""admins""#, count: 513).joined(separator: ",") + "]",
            "\"" + String(repeating: "a", count: 1025) + "\"",
        ])
    func unreadableRoles(_ value: String) async throws {
        let key = try await TestKey.make(.edDSA)
        var token = TestToken(key)
        token.claims["roles"] = value
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        let failure = SignInFailure.unreadableRoles(try Sample.ana)
        #expect(failure.accountWithoutRole == (try Sample.ana))
        await #expect(throws: failure) { try await client.finish() }
    }

    @Test(
        "a claim at its bound is taken",
        arguments: [
            ("exp", "\(now + 1)"), ("iat", "\(now + 60)"), ("iat", "\(now - 600)"), ("nbf", "\(now + 60)"),
            ("auth_time", "\(now + 60)"), ("auth_time", "0"), ("auth_time", "null"),
            ("aud", #"["console"]"#), ("azp", #""console""#),
            ("sub", "\"" + String(repeating: "a", count: 255) + "\""),
            ("roles", "[" + Array(repeating: #""admins""#, count: 512).joined(separator: ",") + "]"),
        ])
    func bounds(_ claim: String, _ value: String) async throws {
        let key = try await TestKey.make(.edDSA)
        var token = TestToken(key)
        token.claims[claim] = value
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let account = try await RelyingParty(try Sample.settings(), transport: provider).finish()
        #expect(account.roles == [.operator])
    }

    @Test(
        "claims that are not one object without duplicates are refused",
        arguments: [
            "[]", "7", "null", "\"\"", "{", "{}x", "\u{FEFF}{}", #"{"sub":"ana","sub":"eve"}"#,
            #"{"sub":"ana","su\u0062":"eve"}"#,
            String(repeating: #"{"a":"#, count: 17) + "1" + String(repeating: "}", count: 17),
        ])
    func noObject(_ text: String) async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.claimsText = text
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await #expect(throws: SignInFailure.token(.claims)) { try await client.finish() }
    }

    @Test("a right claim beside its forged twin does not help: every claim of a good token, written twice, is refused")
    func duplicates() async throws {
        let key = try await TestKey.make()
        for (name, value) in Sample.claims {
            var token = TestToken(key)
            token.claimsText = "{\"\(name)\":\(value)," + Sample.json(Sample.claims).dropFirst()
            let provider = SampleProvider(key, token: try token.text(key.signer))
            let client = RelyingParty(try Sample.settings(), transport: provider)
            await #expect(throws: SignInFailure.token(.claims)) { try await client.finish() }
        }
    }
}
