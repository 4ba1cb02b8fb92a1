import Cryptography
import Foundation
import Identifiers
import TestSupport
import Testing

@testable import Webhooks

/// Signatures and the secrets behind them.
@Suite struct SigningTests {
    private struct Vector: Decodable {
        let secrets: [String]
        let id: String
        let timestamp: Int64
        let body: String
        let signature: String
    }

    private static func vectors() throws -> [Vector] {
        let url = try #require(Bundle.module.url(forResource: "Vectors/signatures", withExtension: "json"))
        return try JSONDecoder().decode([Vector].self, from: Data(contentsOf: url))
    }

    @Test("the signatures are those of the vectors, which other implementations made")
    func vectors() throws {
        let vectors = try Self.vectors()
        #expect(vectors.count >= 4)
        for vector in vectors {
            let secrets = try vector.secrets.map { try #require(Self.secret($0)) }
            let signed = try WebhookSignature(
                of: Array(vector.body.utf8), id: vector.id, at: Timestamp(secondsSince1970: vector.timestamp),
                with: secrets)
            #expect(signed.signatures == vector.signature)
            #expect((signed.id, signed.timestamp) == (vector.id, vector.timestamp))
        }
    }

    /// The secret of a text, as its owner reads it.
    private static func secret(_ text: String) -> EndpointSecret? {
        guard text.hasPrefix("whsec_") else { return nil }
        return Base64.decode(Array(text.utf8.dropFirst(6))).flatMap { EndpointSecret($0) }
    }

    @Test("a secret is written as Standard Webhooks have it, and no other length is one")
    func secrets() throws {
        var random = SeededGenerator(seed: 1)
        let secret = EndpointSecret(using: &random)
        #expect(Self.secret(secret.text)?.bytes == secret.bytes && secret.bytes.count == 32)
        for count in [24, 64] { #expect(EndpointSecret([UInt8](repeating: 1, count: count)) != nil) }
        for count in [0, 23, 65] { #expect(EndpointSecret([UInt8](repeating: 1, count: count)) == nil) }
    }

    @Test("a sealed secret opens for its organization and under its key, and no changed byte of it does")
    func seal() throws {
        var random = SeededGenerator(seed: 2)
        let (acme, other) = (try OrganizationID("acme"), try OrganizationID("other"))
        let seal = try EndpointSecretSeal(erasureKey: SecretBytes([UInt8](repeating: 7, count: 32)))
        let secret = EndpointSecret(using: &random)
        let sealed = try seal.seal(secret, of: acme, using: &random)
        #expect(sealed.count == 1 + 16 + 32 + 16)
        #expect(try seal.open(sealed, of: acme)?.bytes == secret.bytes)
        #expect(try seal.seal(secret, of: acme, using: &random) != sealed)
        #expect(try seal.open(sealed, of: other) == nil)
        let stranger = try EndpointSecretSeal(erasureKey: SecretBytes([UInt8](repeating: 8, count: 32)))
        #expect(try stranger.open(sealed, of: acme) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(try seal.open(changed, of: acme) == nil)
        }
        for count in [0, 1, 17, 33, sealed.count - 1] {
            #expect(try seal.open(Array(sealed.prefix(count)), of: acme) == nil)
        }
    }

    @Test("an event has one id for an endpoint, another for another endpoint, and nothing can be read in it")
    func ids() throws {
        let (one, two) = (EndpointID(try TimeOrderedNumber("a1")), EndpointID(try TimeOrderedNumber("a2")))
        let id = WebhookSignature.id(of: "consents-e12", for: one)
        #expect(id == WebhookSignature.id(of: "consents-e12", for: one))
        #expect(id.hasPrefix("msg_") && id.count == 26)
        #expect(id != WebhookSignature.id(of: "consents-e12", for: two))
        #expect(id != WebhookSignature.id(of: "consents-e13", for: one))
    }
}
