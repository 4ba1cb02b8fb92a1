import Cryptography
import JWTKit
import Testing

@testable import OpenIDConnect

/// Tokens that the provider did not sign as they are.
@Suite struct TokenForgeryTests {
    private func fault(_ text: String, _ key: TestKey) async -> SignInFailure? {
        let provider = SampleProvider(key, token: text)
        do {
            _ = try await RelyingParty(try Sample.settings(), transport: provider).finish()
            return nil
        } catch {
            return error as? SignInFailure
        }
    }

    @Test(
        "a token with any character changed, cut or added is refused",
        arguments: [.es256, .edDSA] as [SigningAlgorithm])
    func everyCharacter(_ algorithm: SigningAlgorithm) async throws {
        let key = try await TestKey.make(algorithm)
        let text = Array(try TestToken(key).text(key.signer).utf8)
        #expect(await fault(String(decoding: text, as: UTF8.self), key) == nil)
        for position in text.indices {
            var flipped = text
            flipped[position] = text[position] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            var cut = text
            cut.remove(at: position)
            var extended = text
            extended.insert(UInt8(ascii: "A"), at: position)
            for forged in [flipped, cut, extended, Array(text[..<position])] where forged != text {
                #expect(await fault(String(decoding: forged, as: UTF8.self), key) != nil)
            }
        }
    }

    @Test("the same bytes encoded in another way are refused, as are other numbers of parts")
    func reencoded() async throws {
        let key = try await TestKey.make(.rs256)
        let text = try TestToken(key).text(key.signer)
        let parts = text.split(separator: ".").map(String.init)
        // A last character with bits that no byte has: 256 bytes of signature leave four.
        let last = try #require(text.last)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let sibling = alphabet[try #require(alphabet.firstIndex(of: last)) + 1]
        let forged = [
            text + "=", text + "==", text + "\\n", " " + text, text + ".", "." + text, text + ".AAAA", "",
            text.dropLast() + String(sibling), parts[0] + "." + parts[1], parts[0] + "." + parts[1] + ".",
            "." + parts[1] + "." + parts[2], parts[0] + ".." + parts[2], "..", "...",
            parts[0] + "." + parts[1] + "." + parts[2].replacing("-", with: "+").replacing("_", with: "/") + "==",
            String(repeating: "A", count: 65537),
        ]
        for text in forged {
            let found = await fault(text, key)
            #expect(found == .token(.form) || found == .token(.tooLong), "\(text.count)")
        }
    }

    @Test("the same claims written in another way have another signature")
    func rewritten() async throws {
        let key = try await TestKey.make()
        let token = TestToken(key)
        let signature = try token.text(key.signer).split(separator: ".")[2]
        var other = token
        other.claimsText = " " + Sample.json(token.claims)
        #expect(await fault(other.signed + "." + signature, key) == .token(.signature))
    }

    @Test(
        "no signature and other algorithms than the allowed ones are refused",
        arguments: [
            "none", "None", "NONE", "HS256", "HS384", "HS512", "rs256", "ES256K", "RSA-OAEP", "dir", "", "ML-DSA-65",
        ])
    func algorithms(_ name: String) async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.header["alg"] = "\"\(name)\""
        #expect(await fault(try token.text(key.signer), key) == .token(.algorithm))
        #expect(await fault(token.signed + ".", key) == .token(.form))
    }

    @Test("HS256 with the public key as secret is refused, however the key is written")
    func publicKeyAsSecret() async throws {
        let key = try await TestKey.make(.rs256)
        let publicKey = try Insecure.RSA.PrivateKey(pem: RSATestKey.pem).publicKey
        let modulus = try publicKey.getKeyPrimitives().modulus
        let secrets = [
            Array(publicKey.pemRepresentation.utf8), Array((publicKey.pemRepresentation + "\n").utf8),
            [UInt8](publicKey.derRepresentation), [UInt8](modulus), Array(key.jwk.utf8),
            Array("the-secret".utf8) + Array(repeating: 0, count: 32),
        ]
        for secret in secrets {
            let keys = JWTKeyCollection()
            await keys.add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256)
            let signer = try await keys.getKey()
            var token = TestToken(key)
            token.header["alg"] = "\"HS256\""
            #expect(await fault(try token.text(signer), key) == .token(.algorithm))
            token.header["alg"] = "\"RS256\""
            #expect(await fault(try token.text(signer), key) == .token(.signature))
        }
    }

    @Test("an algorithm that the provider did not announce is refused")
    func notAnnounced() async throws {
        let key = try await TestKey.make(.edDSA)
        let provider = SampleProvider(key, token: try TestToken(key).text(key.signer))
        provider.change {
            var discovery = Sample.discovery()
            discovery["id_token_signing_alg_values_supported"] = #"["RS256","ES256"]"#
            $0.discovery = Sample.json(discovery)
        }
        let client = RelyingParty(try Sample.settings(), transport: provider)
        await #expect(throws: SignInFailure.token(.algorithmNotAnnounced)) { try await client.finish() }
    }

    static let headers: [(name: String, value: String?, fault: TokenFault)] = [
        ("alg", nil, .header), ("alg", "7", .header), ("alg", #"["ES256"]"#, .header), ("kid", "7", .header),
        ("kid", #""""#, .header), ("kid", "null", .header),
        ("kid", "\"" + String(repeating: "k", count: 257) + "\"", .header),
        ("kid", #""k2""#, .keyUnknown), ("kid", #""K1""#, .keyUnknown), ("typ", #""at+jwt""#, .header),
        ("typ", "7", .header), ("crit", #"["b64"]"#, .critical), ("crit", "[]", .critical),
    ]

    @Test("a header that is not as it must be is refused", arguments: headers)
    func header(_ name: String, _ value: String?, _ fault: TokenFault) async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.header[name] = value
        #expect(await self.fault(try token.text(key.signer), key) == .token(fault))
    }

    @Test(
        "a header that is not one object without duplicates is refused",
        arguments: [
            #"{"alg":"ES256","alg":"none"}"#, #"{"alg":"ES256","kid":"k1","kid":"k2"}"#, "[]", "x", #""ES256""#,
        ])
    func headerText(_ text: String) async throws {
        let key = try await TestKey.make()
        var token = TestToken(key)
        token.headerText = text
        #expect(await fault(try token.text(key.signer), key) == .token(.header))
    }

    @Test("a key that the token brings along is not believed")
    func embeddedKey() async throws {
        let key = try await TestKey.make()
        let own = try await TestKey.make()
        var token = TestToken(own)
        token.header["jwk"] = own.jwk
        token.header["jku"] = #""https://evil.example/keys""#
        token.header["x5u"] = #""https://evil.example/chain""#
        #expect(await fault(try token.text(own.signer), key) == .token(.signature))
        token.header["kid"] = nil
        #expect(await fault(try token.text(own.signer), key) == .token(.signature))
    }
}
