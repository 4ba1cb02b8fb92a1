import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs

@Suite struct KeyRingTests {
    private func key(_ id: UInt8, length: Int = 32, signedUntil: Timestamp? = nil) -> KeyRing.Key {
        KeyRing.Key(
            id: id,
            secret: SecretBytes([UInt8](repeating: id, count: length)),
            createdAt: .sample,
            signedUntil: signedUntil
        )
    }

    @Test("a new ring has one key of 32 random bytes, and it signs")
    func newRing() {
        var generator = SecureRandom()
        let ring = KeyRing(at: .sample, using: &generator)
        let other = KeyRing(at: .sample, using: &generator)
        #expect(ring.keys.map(\.id) == [1])
        #expect(ring.signingKey.id == 1)
        #expect(ring.signingKey.createdAt == .sample)
        #expect(ring.signingKey.signedUntil == nil)
        #expect(ring.signingKey.secret.count == 32)
        #expect(ring.signingKey.secret != other.signingKey.secret)
    }

    @Test("rotating adds a key that signs and says until when the last one did")
    func rotation() throws {
        let ring = KeyRing.sample()
        let later = Timestamp.sample.advanced(byMilliseconds: 5)
        var generator = SeededGenerator(seed: 9)
        let rotated = try ring.rotated(at: later, using: &generator)
        #expect(rotated.keys.map(\.id) == [1, 2])
        #expect(rotated.signingKey.id == 2)
        #expect(rotated.signingKey.createdAt == later)
        #expect(rotated[1]?.signedUntil == later)
        #expect(rotated[1]?.secret == ring.signingKey.secret)
        #expect(rotated[2]?.secret != ring.signingKey.secret)
        #expect(ring.keys.map(\.id) == [1])
    }

    @Test("an announced key signs from when it is told to, and the former key signed until then")
    func announced() throws {
        let announced = Timestamp.sample.advanced(byMilliseconds: 5)
        let later = Timestamp.sample.advanced(byMilliseconds: 900)
        var generator = SeededGenerator(seed: 9)
        let ring = try KeyRing.sample().rotatedForTest(seed: 2).announcing(at: announced, using: &generator)
        #expect(ring.signingKey.id == 2 && ring.announcedKey?.id == 3)
        let signing = ring.signingWithAnnouncedKey(at: later)
        #expect(signing.signingKey.id == 3 && signing.announcedKey == nil)
        #expect(signing.keys.map(\.signedUntil) == [.sample, later, nil], "links of key 2 were made until later")
        #expect(signing.keys.map(\.createdAt) == [.sample, .sample, announced])
        #expect(signing.keys.map(\.secret) == ring.keys.map(\.secret))
    }

    @Test("a key that has stopped signing keeps the time at which it did")
    func signedUntilStays() throws {
        var generator = SeededGenerator(seed: 9)
        var ring = KeyRing.sample()
        for second in 1...3 {
            ring = try ring.rotated(at: Timestamp(secondsSince1970: Int64(second)), using: &generator)
        }
        #expect(ring.keys.map { $0.signedUntil?.millisecondsSince1970 } == [1000, 2000, 3000, nil])
    }

    @Test("retiring removes a key, but never the one that signs nor one that is not there")
    func retiring() throws {
        let ring = try KeyRing.sample().rotatedForTest(seed: 2)
        #expect(try ring.retiring(1).keys.map(\.id) == [2])
        #expect(throws: TrackingIDError.signingKeyInUse(id: 2)) { try ring.retiring(2) }
        #expect(throws: TrackingIDError.unknownKey(id: 3)) { try ring.retiring(3) }
    }

    @Test("a ring keeps the marks of its retired keys, which differ by the secret, up to a bound")
    func marks() throws {
        let ring = try KeyRing.sample().rotatedForTest(seed: 2).rotatedForTest(seed: 3)
        let retired = try ring.retiring(2).retiring(1)
        #expect(retired.retired == [try #require(ring[2]).fingerprint, try #require(ring[1]).fingerprint])
        #expect(try retired.rotatedForTest(seed: 4).retired == retired.retired)
        #expect(retired.signingLinks(forDays: 9).retired == retired.retired)
        #expect(Set(ring.keys.map(\.fingerprint)).count == 3)
        let full = try (0..<KeyRing.maximumRetiredCount).map { number in
            try #require(KeyFingerprint((0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 * 8 % 16)) }))
        }
        let bounded = try KeyRing(keys: ring.keys, retired: full).retiring(1)
        #expect(bounded.retired?.count == full.count && bounded.retired?.last == ring[1]?.fingerprint)
    }

    @Test("a retired id is not taken again by the next rotation")
    func idsAreNotReused() throws {
        var ring = try KeyRing.sample().rotatedForTest(seed: 2).rotatedForTest(seed: 3).retiring(2)
        ring = try ring.rotatedForTest(seed: 4)
        #expect(ring.keys.map(\.id) == [1, 3, 4])
    }

    @Test("after 255 the ids begin again at 0 and pass over those in use")
    func idsWrap() throws {
        let ring = try KeyRing(keys: [key(0, signedUntil: .sample), key(2, signedUntil: .sample), key(255)])
        #expect(try ring.rotatedForTest(seed: 1).signingKey.id == 1)
        #expect(try ring.rotatedForTest(seed: 1).rotatedForTest(seed: 2).signingKey.id == 3)
    }

    @Test("256 keys are as many as there can be")
    func full() throws {
        var ring = KeyRing.sample()
        for seed in 2...256 { ring = try ring.rotatedForTest(seed: UInt64(seed)) }
        #expect(ring.keys.count == 256)
        #expect(throws: TrackingIDError.noKeyIDFree) { try ring.rotatedForTest(seed: 1) }
        #expect(try ring.retiring(100).rotatedForTest(seed: 1).signingKey.id == 100)
    }

    @Test("a stored ring comes back")
    func stored() throws {
        let ring = try KeyRing.sample().rotatedForTest(seed: 2)
        let loaded = try KeyRing(keys: ring.keys)
        #expect(loaded.signingKey.id == ring.signingKey.id)
        #expect(try Forgery(of: .sample(), sealedBy: ring).opening(with: loaded) == .opened(.sample(), keyID: 2))
    }

    @Test("a stored ring that cannot be is refused")
    func refused() {
        #expect(throws: TrackingIDError.notOneSigningKey(found: 0)) { try KeyRing(keys: []) }
        #expect(throws: TrackingIDError.notOneSigningKey(found: 0)) {
            try KeyRing(keys: [key(1, signedUntil: .sample)])
        }
        #expect(throws: TrackingIDError.notOneSigningKey(found: 2)) { try KeyRing(keys: [key(1), key(2)]) }
        #expect(throws: TrackingIDError.duplicateKey(id: 1)) {
            try KeyRing(keys: [key(1, signedUntil: .sample), key(1)])
        }
        for length in [0, 16, 31, 33, 64] {
            #expect(throws: TrackingIDError.keySecretLength(id: 4)) { try KeyRing(keys: [key(4, length: length)]) }
        }
    }

    @Test("a ring shows no secret")
    func description() {
        let ring = KeyRing.sample()
        var dumped = ""
        dump(ring, to: &dumped)
        #expect("\(ring)\(ring.keys)".contains("(secret)"))
        #expect(dumped.contains("(secret)"))
    }
}
