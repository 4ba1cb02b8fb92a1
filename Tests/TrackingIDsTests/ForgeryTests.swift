import Cryptography
import Identifiers
import Testing
import TrackingIDs

/// A genuine token, altered in every way there is, does not open.
@Suite struct ForgeryTests {
    let ring = KeyRing.sample()

    @Test("a flipped bit is refused", arguments: 0..<320)
    func flippedBit(_ bit: Int) throws {
        var forgery = try Forgery(of: .sample(), sealedBy: ring)
        forgery.bytes[bit / 8] ^= 0x80 >> (bit % 8)
        let reason: TrackingIDRefusal =
            switch bit / 8 {
            case 0: .version
            case 1: .unknownKey
            default: .tag
            }
        #expect(try forgery.opening(with: ring) == .refused(reason))
    }

    @Test("a zeroed or filled field is refused", arguments: [0..<1, 1..<2, 2..<6, 6..<8, 8..<24, 24..<40, 0..<40])
    func overwrittenField(_ field: Range<Int>) throws {
        for value: UInt8 in [0, 0xFF] {
            var forgery = try Forgery(of: .sample(), sealedBy: ring)
            forgery.bytes.replaceSubrange(field, with: repeatElement(value, count: field.count))
            #expect(try forgery.opening(with: ring).trackingID == nil)
        }
    }

    @Test("another link index is refused", arguments: [UInt16(0), 2, 3, 256, 257, .max])
    func linkIndex(_ link: UInt16) throws {
        var forgery = try Forgery(of: .sample(link: 1), sealedBy: ring)
        forgery.bytes[6] = UInt8(link >> 8)
        forgery.bytes[7] = UInt8(link & 0xFF)
        #expect(try forgery.opening(with: ring) == .refused(.tag))
    }

    @Test("the fields of one token do not go with the tag of another", arguments: [2..<6, 6..<8, 8..<24, 24..<40])
    func splicedField(_ field: Range<Int>) throws {
        var forgery = try Forgery(of: .sample(), sealedBy: ring)
        let other = try Forgery(of: .sample(message: 7, recipient: 8, link: 9, expires: 10), sealedBy: ring)
        forgery.bytes.replaceSubrange(field, with: other.bytes[field])
        #expect(try forgery.opening(with: ring) == .refused(.tag))
    }

    @Test("a retired key no longer opens, the others do")
    func retiredKey() throws {
        let old = try Forgery(of: .sample(), sealedBy: ring)
        let rotated = try ring.rotatedForTest(seed: 2)
        let new = try Forgery(of: .sample(), sealedBy: rotated)
        #expect(try old.opening(with: rotated) == .opened(.sample(), keyID: 1))
        #expect(try new.opening(with: rotated) == .opened(.sample(), keyID: 2))
        let retired = try rotated.retiring(1)
        #expect(try old.opening(with: retired) == .refused(.unknownKey))
        #expect(try new.opening(with: retired) == .opened(.sample(), keyID: 2))
        #expect(try new.opening(with: ring) == .refused(.unknownKey))
    }

    @Test("another deployment's token is refused, though its key has the same id")
    func otherDeployment() throws {
        let foreign = try Forgery(of: .sample(), sealedBy: .sample(seed: 2))
        #expect(try foreign.opening(with: ring) == .refused(.tag))
    }

    @Test("the key id of another key of the ring is refused")
    func swappedKeyID() throws {
        let rotated = try ring.rotatedForTest(seed: 2)
        var old = try Forgery(of: .sample(), sealedBy: ring)
        old.bytes[1] = 2
        #expect(try old.opening(with: rotated) == .refused(.tag))
        var new = try Forgery(of: .sample(), sealedBy: rotated)
        new.bytes[1] = 1
        #expect(try new.opening(with: rotated) == .refused(.tag))
    }

    @Test("the key id is signed: even two keys of one secret do not stand in for each other")
    func sharedSecret() throws {
        let secret = ring.signingKey.secret
        let twin = try KeyRing(keys: [
            KeyRing.Key(id: 1, secret: secret, createdAt: .sample, signedUntil: .sample),
            KeyRing.Key(id: 2, secret: secret, createdAt: .sample),
        ])
        var forgery = try Forgery(of: .sample(), sealedBy: ring)
        forgery.bytes[1] = 2
        #expect(try forgery.opening(with: twin) == .refused(.tag))
    }

    @Test("40 bytes cut or extended are refused", arguments: Array(0..<40) + [41, 42, 80])
    func byteLength(_ length: Int) throws {
        let genuine = try Forgery(of: .sample(), sealedBy: ring).bytes
        let bytes = Array((genuine + genuine).prefix(length))
        let opening = try TrackingIDOpener(keyRing: ring).open(bytes: bytes.span)
        #expect(opening == .refused(.length))
    }
}
