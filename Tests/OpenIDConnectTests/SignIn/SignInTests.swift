import Cryptography
import Testing

@testable import OpenIDConnect

@Suite struct SignInTests {
    @Test("an account signs in, whichever allowed algorithm its token has", arguments: SigningAlgorithm.allCases)
    func algorithms(_ algorithm: SigningAlgorithm) async throws {
        let key = try await TestKey.make(algorithm)
        let provider = SampleProvider(key, token: try TestToken(key).text(key.signer))
        let account = try await RelyingParty(try Sample.settings(), transport: provider).finish()
        #expect(account.identity.issuer.description == Sample.issuer)
        #expect(account.identity.subject == "ana")
        #expect(account.roles == [.operator])
        #expect(account.authenticatedAt == nil)
    }

    @Test("a token without kid is right by the one key that suits, and by no other number of them")
    func withoutKeyIdentifier() async throws {
        let key = try await TestKey.make(kid: nil)
        let others = [try await TestKey.make(.edDSA), try await TestKey.make(.es384)]
        let provider = SampleProvider(key, token: try TestToken(key).text(key.signer))
        provider.change { $0.keys = Sample.keySet(others + [key]) }
        #expect(try await RelyingParty(try Sample.settings(), transport: provider).finish().identity.subject == "ana")
        let second = try await TestKey.make()
        provider.change { $0.keys = Sample.keySet([second, key]) }
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await #expect(throws: SignInFailure.token(.keyAmbiguous)) { try await client.finish() }
    }

    @Test("several audiences are taken with azp, times with a fraction too, and nbf and auth_time are read")
    func otherClaims() async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.claims["aud"] = #"["account","console"]"#
        token.claims["azp"] = #""console""#
        token.claims["exp"] = "1800000300.75"
        token.claims["nbf"] = "1800000060"
        token.claims["auth_time"] = "1799999000"
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let account = try await RelyingParty(try Sample.settings(), transport: provider).finish()
        #expect(account.authenticatedAt == UnixTime(seconds: 1_799_999_000))
    }

    @Test(
        "roles are read where the setting says",
        arguments: [
            ("roles", #""roles":"admins""#), ("realm_access.roles", #""realm_access":{"roles":["admins"]}"#),
            ("https://example.com/roles", #""https://example.com/roles":["admins"]"#),
            ("a.b", #""a":{"b":["acme-m"]},"a.b":"admins""#),
        ])
    func rolesClaim(_ claim: String, _ member: String) async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.claims["roles"] = nil
        token.claimsText = "{" + member + "," + Sample.json(token.claims).dropFirst()
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let account = try await RelyingParty(try Sample.settings(claim: claim), transport: provider).finish()
        #expect(account.roles == [.operator])
    }

    @Test(
        "nobody is let in without a role",
        arguments: [
            nil, "null", "[]", #"["Admins","admins ","ADMINS"]"#, #""admins,other""#, #"["ad\u006dins\u0000"]"#,
        ])
    func noRole(_ roles: String?) async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.claims["roles"] = roles
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await #expect(throws: SignInFailure.noRole(try Sample.ana)) { try await client.finish() }
    }

    @Test("values are compared as bytes: a Kelvin sign is no K")
    func kelvin() async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.claims["roles"] = "\"\u{212A}\""
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let client = RelyingParty(try Sample.settings(roles: ["K=operator"]), transport: provider)
        await #expect(throws: SignInFailure.noRole(try Sample.ana)) { try await client.finish() }
    }

    @Test(
        "a fresh sign-in needs auth_time from after the request, within the clocks' difference",
        arguments: [
            (nil, .authenticationTime), (-30 - 60, nil), (-30 - 61, .authenticationTime), (60, nil),
            (61, .authenticationInFuture), (0, nil),
        ] as [(Int64?, TokenFault?)])
    func freshness(_ difference: Int64?, _ fault: TokenFault?) async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.claims["auth_time"] = difference.map { "\(Sample.now.seconds + $0)" }
        let provider = SampleProvider(key, token: try token.text(key.signer))
        let client = RelyingParty(try Sample.settings(), transport: provider)
        if let fault {
            await #expect(throws: SignInFailure.token(fault)) {
                try await client.finish(Sample.query, .newAuthentication)
            }
            return
        }
        let account = try await client.finish(Sample.query, .newAuthentication)
        #expect(account.authenticatedAt != nil)
    }
}
