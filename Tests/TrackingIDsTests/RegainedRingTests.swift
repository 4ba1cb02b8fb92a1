import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs

/// A ring that was put back to an earlier state, and a holder of the later one.
@Suite struct RegainedRingTests {
    private static let now = Timestamp.sample.advanced(by: .seconds(1000))

    /// A key that was made so many seconds after the first.
    private func key(_ id: UInt8, madeAfter seconds: Int64, secret: UInt8? = nil, signs: Bool = false) -> KeyRing.Key {
        let made = Timestamp.sample.advanced(by: .seconds(seconds))
        return KeyRing.Key(
            id: id, secret: SecretBytes([UInt8](repeating: secret ?? id, count: KeyRing.secretLength)), createdAt: made,
            signedUntil: signs ? nil : made.advanced(by: .seconds(1)))
    }

    @Test("a key made since is there again and opens; the key that signs is that of the earlier state")
    func newer() throws {
        let earlier = try KeyRing(keys: [key(1, madeAfter: 0, signs: true)])
        let later = try KeyRing(keys: [key(1, madeAfter: 0), key(2, madeAfter: 10), key(3, madeAfter: 20, signs: true)])
        let found = earlier.regaining(keysOf: later, at: Self.now)
        #expect(found.regained == [2, 3])
        #expect(found.contradicted.isEmpty)
        #expect(found.ring.keys.map(\.id) == [1, 2, 3])
        #expect(found.ring.signingKey.id == 1)
        #expect(found.ring[3]?.signedUntil == Self.now)
        #expect(try Forgery(of: .sample(), sealedBy: later).opening(with: found.ring) == .opened(.sample(), keyID: 3))
        #expect(try found.ring.rotatedForTest(seed: 1).signingKey.id == 4, "no number is used twice")
        #expect(found.ring.regaining(keysOf: later, at: Self.now).regained.isEmpty)
    }

    @Test("a key that was retired does not come back")
    func retired() throws {
        let present = try KeyRing(keys: [key(1, madeAfter: 0), key(3, madeAfter: 20, signs: true)])
        let old = try KeyRing(keys: [key(1, madeAfter: 0), key(2, madeAfter: 10, signs: true)])
        let found = present.regaining(keysOf: old, at: Self.now)
        #expect(found.regained.isEmpty && found.contradicted.isEmpty)
        #expect(found.ring.keys.map(\.id) == [1, 3])
    }

    @Test("a key whose number was given to another key meanwhile is told")
    func contradicted() throws {
        let present = try KeyRing(keys: [key(1, madeAfter: 0), key(2, madeAfter: 30, secret: 9, signs: true)])
        let other = try KeyRing(keys: [key(1, madeAfter: 0), key(2, madeAfter: 10, signs: true)])
        let found = present.regaining(keysOf: other, at: Self.now)
        #expect(found.contradicted == [2])
        #expect(found.regained.isEmpty)
        #expect(found.ring[2]?.secret == present[2]?.secret)
    }

    @Test("a key that was announced is announced again")
    func announced() throws {
        let earlier = try KeyRing(keys: [key(1, madeAfter: 0, signs: true)])
        var generator = SeededGenerator(seed: 1)
        let later = try earlier.announcing(at: Self.now, using: &generator)
        let found = earlier.regaining(keysOf: later, at: Self.now)
        #expect(found.regained == [2])
        #expect(found.ring.announcedKey?.id == 2)
    }
}
