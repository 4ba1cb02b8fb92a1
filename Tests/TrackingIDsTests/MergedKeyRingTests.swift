import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs

/// A ring that was put back to an earlier state, and a holder of the later one.
@Suite struct MergedKeyRingTests {
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
        let found = earlier.merging(keysOf: later, at: Self.now)
        #expect(found.regained == [2, 3])
        #expect(found.contradicted.isEmpty)
        #expect(found.ring.keys.map(\.id) == [1, 2, 3])
        #expect(found.ring.signingKey.id == 1)
        #expect(found.ring[3]?.signedUntil == Self.now)
        #expect(try Forgery(of: .sample(), sealedBy: later).opening(with: found.ring) == .opened(.sample(), keyID: 3))
        #expect(try found.ring.rotatedForTest(seed: 1).signingKey.id == 4, "no number is used twice")
        #expect(found.ring.merging(keysOf: later, at: Self.now).regained.isEmpty)
    }

    @Test("of a ring of an earlier version, an older key does not come back, and its loss is told")
    func older() throws {
        let present = try KeyRing(keys: [key(1, madeAfter: 0), key(3, madeAfter: 20, signs: true)])
        let old = try KeyRing(keys: [key(1, madeAfter: 0), key(2, madeAfter: 10, signs: true)])
        let found = present.merging(keysOf: old, at: Self.now)
        #expect(found.regained.isEmpty && found.contradicted.isEmpty && !found.isChanged)
        #expect(found.unaccounted == [2])
        #expect(found.dropped.map { $0.keys.map(\.id) } == [[1, 2]])
        #expect(found.ring.keys.map(\.id) == [1, 3])
        #expect(found.ring.retired == nil, "nodes of the earlier version can read it")
    }

    @Test("a key that was retired does not come back, not even the newest one", arguments: [true, false])
    func retired(isAnnounced: Bool) throws {
        var generator = SeededGenerator(seed: 5)
        let old = try KeyRing.sample().announcing(at: Self.now, using: &generator)
        var present = try old.retiring(2)
        // The number is given to another key.
        if !isAnnounced { present = try present.rotatedForTest(seed: 6) }
        let found = present.merging(keysOf: old, at: Self.now)
        #expect(found.regained.isEmpty && found.contradicted.isEmpty && found.unaccounted.isEmpty)
        #expect(!found.isChanged && found.dropped.isEmpty)
        #expect(found.ring.keys.map(\.secret) == present.keys.map(\.secret))
    }

    @Test("a key that was never retired comes back, also when another holder has made a newer one meanwhile")
    func olderThanAnnounced() throws {
        let earlier = KeyRing.sample()
        let later = try earlier.rotatedForTest(seed: 2).rotatedForTest(seed: 3).retiring(2)
        var generator = SeededGenerator(seed: 4)
        let present = try earlier.announcing(at: Self.now, using: &generator)
        let found = present.merging(keysOf: later, at: Self.now)
        #expect(found.regained == [3] && found.contradicted.isEmpty && found.dropped.isEmpty)
        #expect(found.ring.keys.map(\.id) == [1, 3, 2])
        #expect(found.ring.announcedKey?.secret == present.announcedKey?.secret, "the rotation goes on with this key")
        #expect(found.ring.signingKey.id == 1)
    }

    @Test("a key that is there again after it was retired is retired again, and no holder brings it back")
    func retiredSince() throws {
        let earlier = try KeyRing.sample().rotatedForTest(seed: 2)
        let found = earlier.merging(keysOf: try earlier.retiring(1), at: Self.now)
        #expect(found.retired == [1] && found.isChanged && !found.signsAgain)
        #expect(found.ring.keys.map(\.id) == [2])
        #expect(found.dropped.map { $0.keys.map(\.id) } == [[1, 2]], "nothing is destroyed silently")
        let other = found.ring.merging(keysOf: earlier, at: Self.now)
        #expect(other.ring.keys.map(\.id) == [2] && !other.isChanged && other.dropped.isEmpty)
    }

    @Test("a key that signs again after it was retired signs on, and is told")
    func signsAgain() throws {
        let earlier = KeyRing.sample()
        let later = try earlier.rotatedForTest(seed: 2).retiring(1)
        let found = earlier.merging(keysOf: later, at: Self.now)
        #expect(found.signsAgain && found.retired.isEmpty && found.regained == [2])
        #expect(found.ring.signingKey.id == 1 && found.ring.retired == [])
        #expect(!found.ring.merging(keysOf: later, at: Self.now).isChanged)
    }

    @Test("what was retired is known again in a ring that was put back")
    func marks() throws {
        let earlier = KeyRing.sample()
        let leaked = try earlier.rotatedForTest(seed: 2)
        let later = try leaked.rotatedForTest(seed: 3).retiring(2)
        let found = earlier.merging(keysOf: later, at: Self.now)
        #expect(found.ring.keys.map(\.id) == [1, 3])
        #expect(found.ring.merging(keysOf: leaked, at: Self.now).ring.keys.map(\.id) == [1, 3])
    }

    @Test("marks of retired keys that only another holder knows are a change, and are kept")
    func marksAlone() throws {
        let earlier = KeyRing.sample()
        var generator = SeededGenerator(seed: 5)
        let leaked = try earlier.announcing(at: Self.now, using: &generator)
        let other = try leaked.retiring(2)
        let found = earlier.merging(keysOf: other, at: Self.now)
        #expect(found.regained.isEmpty && found.retired.isEmpty && found.dropped.isEmpty)
        #expect(found.isChanged, "the ring must be stored")
        #expect(found.ring.retired == [try #require(leaked[2]).fingerprint])
        #expect(found.ring.merging(keysOf: leaked, at: Self.now).ring.keys.map(\.id) == [1])
        #expect(!found.ring.merging(keysOf: other, at: Self.now).isChanged)
    }

    @Test("where there is no room for all marks a ring keeps its own, so that no key retired here comes back")
    func fullMarks() throws {
        let marks = try (0..<KeyRing.maximumRetiredCount).map { number in
            try #require(KeyFingerprint((0..<32).map { UInt8(truncatingIfNeeded: number >> ($0 * 8 % 16)) }))
        }
        let old = try KeyRing.sample().rotatedForTest(seed: 2)
        let oldest = try #require(old[1]).fingerprint
        let present = try KeyRing(keys: old.retiring(1).keys, retired: [oldest] + marks.dropFirst())
        let other = try KeyRing(keys: old.keys, retired: [marks[0]])
        let found = present.merging(keysOf: other, at: Self.now)
        #expect(found.ring.retired?.count == KeyRing.maximumRetiredCount)
        #expect(found.ring.retired?.first == oldest && found.ring.retired?.last == marks.last)
        #expect(found.ring.merging(keysOf: other, at: Self.now).ring.keys.map(\.id) == [2])
    }

    @Test("a key whose number was given to another key meanwhile is told")
    func contradicted() throws {
        let present = try KeyRing(keys: [key(1, madeAfter: 0), key(2, madeAfter: 30, secret: 9, signs: true)])
        let other = try KeyRing(keys: [key(1, madeAfter: 0), key(2, madeAfter: 10, signs: true)])
        let found = present.merging(keysOf: other, at: Self.now)
        #expect(found.contradicted == [2])
        #expect(found.regained.isEmpty)
        #expect(found.ring[2]?.secret == present[2]?.secret)
        #expect(found.dropped.map { $0[2]?.secret } == [other[2]?.secret])
    }

    @Test("a key that was announced is announced again")
    func announced() throws {
        let earlier = try KeyRing(keys: [key(1, madeAfter: 0, signs: true)])
        var generator = SeededGenerator(seed: 1)
        let later = try earlier.announcing(at: Self.now, using: &generator)
        let found = earlier.merging(keysOf: later, at: Self.now)
        #expect(found.regained == [2])
        #expect(found.ring.announcedKey?.id == 2)
    }

    @Test("a rotation ends the announcement of another key: no ring may sign with it, also if it is the last key there")
    func passedOver() throws {
        let first = try KeyRing(keys: [key(1, madeAfter: 0, signs: true)])
        var generator = SeededGenerator(seed: 1)
        let announcing = try first.announcing(at: Self.now, using: &generator)
        let rotated = try announcing.rotated(at: Self.now, using: &generator)
        #expect(rotated.keys.map(\.id) == [1, 2, 3] && rotated.signingKey.id == 3)
        let lacking = try KeyRing(keys: rotated.keys.filter { $0.id != 2 }, retired: [])
        // The ring in which the key was announced, and that of an earlier version, in which it kept the mark.
        let marked = try KeyRing(
            keys: [try #require(rotated[1]), try #require(announcing[2]), rotated.signingKey], retired: [])
        for known in [rotated, marked] {
            let found = lacking.merging(keysOf: known, at: Self.now)
            #expect(found.regained == [2] && found.ring.keys.map(\.id) == [1, 3, 2])
            #expect(found.ring.announcedKey == nil)
            #expect(found.ring.signingWithAnnouncedKey(at: Self.now).signingKey.id == 3)
            #expect(!found.ring.merging(keysOf: known, at: Self.now).isChanged)
        }
    }

    @Test("an announced key that is older than the one that signs only opens")
    func announcedBefore() throws {
        var generator = SeededGenerator(seed: 1)
        let known = try KeyRing(keys: [key(1, madeAfter: 0, signs: true)])
            .announcing(at: Self.now, using: &generator)
        let present = try KeyRing(keys: [key(1, madeAfter: 0), key(3, madeAfter: 2000, signs: true)], retired: [])
        let found = present.merging(keysOf: known, at: Self.now)
        #expect(found.regained == [2] && found.ring.announcedKey == nil)
        #expect(found.ring[2]?.signedUntil == Self.now + 1)
    }

    @Test("of two announced keys, the rotation goes on with the own one")
    func announcedTwice() throws {
        var generator = SeededGenerator(seed: 1)
        let present = try KeyRing(keys: [key(1, madeAfter: 0, signs: true)])
            .announcing(at: Self.now, using: &generator)
        let known = try KeyRing(keys: [key(1, madeAfter: 0, signs: true), key(2, madeAfter: 5, secret: 9)])
            .announcing(at: Self.now, using: &generator)
        let found = present.merging(keysOf: known, at: Self.now)
        #expect(found.regained == [3] && found.ring.keys.map(\.id) == [1, 3, 2])
        #expect(found.ring.announcedKey?.secret == present.announcedKey?.secret)
        #expect(found.ring[3]?.signedUntil == Self.now + 1, "it has no mark that would count where it is the last one")
    }
}
