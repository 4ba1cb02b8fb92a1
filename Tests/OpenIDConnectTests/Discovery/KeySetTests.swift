import JSON
import Testing

@testable import OpenIDConnect

@Suite struct KeySetTests {
    static let unsuitable: [(member: String, value: String?)] = [
        ("use", #""enc""#), ("use", "7"), ("use", "null"), ("alg", #""ES384""#), ("alg", #""HS256""#), ("alg", "7"),
        ("key_ops", #"["sign"]"#), ("key_ops", "[]"), ("key_ops", #""verify""#), ("kty", #""oct""#), ("kty", #""RSA""#),
        ("kty", #""OKP""#), ("crv", #""P-384""#), ("crv", #""secp256k1""#), ("crv", nil), ("x", nil), ("x", #""AAAA""#),
        ("y", "7"),
    ]

    @Test("a key whose members do not allow the algorithm is not used", arguments: unsuitable)
    func notUsed(_ member: String, _ value: String?) async throws {
        var key = try await TestKey.make()
        let text = try TestToken(key).text(key.signer)
        key.members[member] = value
        let client = RelyingParty(try Sample.settings(), transport: SampleProvider(key, token: text))
        await #expect(throws: SignInFailure.token(.keyUnsuitable)) { try await client.finish() }
    }

    @Test("a point that is not on the curve verifies nothing")
    func offCurve() async throws {
        var key = try await TestKey.make()
        let text = try TestToken(key).text(key.signer)
        key.members["y"] = key.members["x"]
        let client = RelyingParty(try Sample.settings(), transport: SampleProvider(key, token: text))
        await #expect(throws: SignInFailure.token(.signature)) { try await client.finish() }
    }

    @Test("a key of another type or of another account under the token's name is not taken for it")
    func confusion() async throws {
        let key = try await TestKey.make(.es256)
        let text = try TestToken(key).text(key.signer)
        for (algorithm, fault) in [
            (.rs256, .keyUnsuitable), (.edDSA, .keyUnsuitable), (.es384, .keyUnsuitable), (.es256, .signature),
        ] as [(SigningAlgorithm, TokenFault)] {
            let other = try await TestKey.make(algorithm)
            let client = RelyingParty(try Sample.settings(), transport: SampleProvider(other, token: text))
            await #expect(throws: SignInFailure.token(fault)) { try await client.finish() }
        }
    }

    @Test("of two keys of one name the one that suits is taken, and neither when both do")
    func oneName() async throws {
        let key = try await TestKey.make(.es256)
        let provider = SampleProvider(key, token: try TestToken(key).text(key.signer))
        let others = [try await TestKey.make(.rs256), try await TestKey.make(.es256)]
        provider.change { $0.keys = Sample.keySet([others[0], key]) }
        #expect(try await RelyingParty(try Sample.settings(), transport: provider).finish().identity.subject == "ana")
        provider.change { $0.keys = Sample.keySet([key, others[1]]) }
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await #expect(throws: SignInFailure.token(.keyAmbiguous)) { try await client.finish() }
    }

    @Test("an RSA key that says nothing of its algorithm verifies those of RSA, a short one none")
    func rsa() async throws {
        for algorithm in [SigningAlgorithm.rs256, .ps256, .rs512] {
            var key = try await TestKey.make(algorithm)
            key.members["alg"] = nil
            key.members["use"] = nil
            let text = try TestToken(key).text(key.signer)
            _ = try await RelyingParty(try Sample.settings(), transport: SampleProvider(key, token: text)).finish()
        }
        var key = try await TestKey.make(.rs256)
        let text = try TestToken(key).text(key.signer)
        let modulus = try #require(key.members["n"])
        key.members["n"] = "\"" + modulus.dropFirst().prefix(172) + "\""
        let client = RelyingParty(try Sample.settings(), transport: SampleProvider(key, token: text))
        await #expect(throws: SignInFailure.token(.keyUnsuitable)) { try await client.finish() }
    }

    @Test("what is no key is passed over; what is no set, or has too many keys, is refused")
    func documents() throws {
        func set(_ text: String) throws -> KeySet {
            guard case .object(let object) = try JSONValue.parse(Array(text.utf8)) else { throw DocumentFault.shape }
            return try KeySet(object)
        }
        #expect(try set(#"{"keys":[7,{},{"kty":7},{"kty":"RSA","kid":7},{"kty":"new","kid":"k"}]}"#).keys.count == 1)
        #expect(try set(#"{"keys":[]}"#).keys.isEmpty)
        let many = Array(repeating: "{}", count: 65).joined(separator: ",")
        for text in ["{}", #"{"keys":7}"#, #"{"keys":{}}"#, #"{"keys":[\#(many)]}"#] {
            #expect(throws: DocumentFault.shape) { try set(text) }
        }
    }
}
