import Cryptography
import Identifiers
import TestSupport
import Testing
import TrackingIDs

extension Timestamp {
    static let sample = Timestamp(secondsSince1970: 1_795_338_000)
}

extension KeyRing {
    /// One key, the same for the same seed.
    static func sample(seed: UInt64 = 1) -> KeyRing {
        var generator = SeededGenerator(seed: seed)
        return KeyRing(at: .sample, using: &generator)
    }

    func rotatedForTest(seed: UInt64) throws -> KeyRing {
        var generator = SeededGenerator(seed: seed)
        return try rotated(at: .sample, using: &generator)
    }
}

extension TrackingID {
    static func sample(
        message: UInt64 = 0x33b2_e7a1_c04f_1d2a,
        recipient: UInt64 = 0x9f3c_51d0_7be2_648a,
        link: UInt16 = 1,
        expires: UInt32 = 1_811_030_400
    ) throws -> TrackingID {
        TrackingID(
            message: try #require(MessageID(rawValue: message)),
            recipient: try #require(RecipientReference(rawValue: recipient)),
            link: LinkIndex(rawValue: link),
            expiry: LinkExpiry(secondsSince1970: expires)
        )
    }

    static func random(using generator: inout some RandomNumberGenerator) throws -> TrackingID {
        try sample(
            message: .random(in: 1...UInt64(Int64.max), using: &generator),
            recipient: .random(in: 1...UInt64.max, using: &generator),
            link: .random(in: 0...UInt16.max, using: &generator),
            expires: .random(in: 0...UInt32.max, using: &generator)
        )
    }
}

/// Sealed with one ring, the bytes altered, and opened with the same ring or another.
struct Forgery {
    var bytes: [UInt8]

    init(of id: TrackingID, sealedBy ring: KeyRing) throws {
        let sealed = try TrackingIDSealer(keyRing: ring).bytes(of: id)
        bytes = sealed.indices.map { sealed[$0] }
    }

    /// As text and as bytes, which must come to the same.
    func opening(with ring: KeyRing) throws -> TrackingIDOpening {
        let opener = try TrackingIDOpener(keyRing: ring)
        let opening = opener.open(Base64URL.encode(bytes))
        let fromBytes = opener.open(bytes: bytes.span)
        #expect(fromBytes == opening)
        return opening
    }
}
