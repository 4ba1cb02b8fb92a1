import Cryptography
import Identifiers
import Testing
import TrackingIDs

@Suite struct VectorTests {
    let vectors: Vectors

    init() throws { vectors = try Vectors() }

    /// The ring of the file's keys in which `id` signs.
    private func ring(signingWith id: UInt8) throws -> KeyRing {
        try KeyRing(
            keys: vectors.keys.map { key in
                KeyRing.Key(
                    id: key.keyId,
                    secret: SecretBytes(try Hexadecimal.decode(key.root)),
                    createdAt: .sample,
                    signedUntil: key.keyId == id ? nil : .sample
                )
            }
        )
    }

    @Test("the keys are derived as the vectors have it")
    func derivation() throws {
        try #require(!vectors.keys.isEmpty)
        for vector in vectors.keys {
            let key = try TrackingKey(derivedFrom: SecretBytes(Hexadecimal.decode(vector.root)))
            #expect(key.signing == SecretBytes(try Hexadecimal.decode(vector.signing)))
            #expect(key.sealing == SecretBytes(try Hexadecimal.decode(vector.sealing)))
        }
    }

    @Test("the vectors' tokens are sealed and opened to the byte")
    func sealed() throws {
        try #require(!vectors.sealed.isEmpty)
        for vector in vectors.sealed {
            let ring = try ring(signingWith: vector.keyId)
            let id = try TrackingID.sample(
                message: #require(UInt64(vector.message, radix: 16)),
                recipient: #require(UInt64(vector.recipient, radix: 16)),
                link: vector.link,
                expires: vector.expires
            )
            let sealer = try TrackingIDSealer(keyRing: ring)
            let bytes = Hexadecimal.encode(sealer.bytes(of: id).span)
            #expect(bytes == vector.bytes, "\(vector.name)")
            #expect(sealer.seal(id) == vector.token, "\(vector.name)")
            let opening = try TrackingIDOpener(keyRing: ring).open(vector.token)
            #expect(opening == .opened(id, keyID: vector.keyId), "\(vector.name)")
        }
    }

    @Test("the vectors' refused tokens are refused for their reason, and every reason is there")
    func refused() throws {
        let opener = try TrackingIDOpener(keyRing: ring(signingWith: 1))
        for vector in vectors.refused {
            let reason = try #require(TrackingIDRefusal(rawValue: vector.reason))
            #expect(opener.open(vector.token) == .refused(reason), "\(vector.name)")
        }
        #expect(Set(vectors.refused.map(\.reason)) == Set(TrackingIDRefusal.allCases.map(\.rawValue)))
    }
}
