import Consent
import Cryptography
import Identifiers
import Messages
import TrackingIDs

/// What every target needs around the code under test. Tokens in the corpora are sealed with these keys.
enum Samples {
    /// Sunday, 2026-11-22 09:00:00 UTC
    static let now = Timestamp(secondsSince1970: 1_795_338_000)
    /// Half a year later.
    static let expiry = LinkExpiry(secondsSince1970: 1_811_030_400)

    static func ownOrigin() throws -> PublicOrigin { try PublicOrigin("https://links.example") }

    /// Keys 1 and 2; the second signs.
    static func keyRing() throws -> KeyRing { try KeyRing(keys: [key(1, signedUntil: now), key(2)]) }

    /// The ring in which key 1 signed.
    static func formerKeyRing() throws -> KeyRing { try KeyRing(keys: [key(1)]) }

    private static func key(_ id: UInt8, signedUntil: Timestamp? = nil) -> KeyRing.Key {
        KeyRing.Key(
            id: id, secret: SecretBytes([UInt8](repeating: id, count: KeyRing.secretLength)), createdAt: now,
            signedUntil: signedUntil)
    }

    static func message(_ number: UInt64) throws -> MessageID {
        guard let id = MessageID(rawValue: number) else { throw BrokenPromise(description: "\(number) is no id") }
        return id
    }

    static func recipient(_ number: UInt64) throws -> RecipientReference {
        guard let reference = RecipientReference(rawValue: number) else {
            throw BrokenPromise(description: "\(number) is no reference")
        }
        return reference
    }
}

extension [UInt8] {
    /// Whether `other` stands somewhere in it.
    func contains(_ other: [UInt8]) -> Bool {
        guard let first = other.first, other.count <= count else { return other.isEmpty }
        return (0...(count - other.count)).contains { place in
            self[place] == first && self[place..<(place + other.count)].elementsEqual(other)
        }
    }

    /// With `other` in the place of every `part`.
    func replacing(_ part: [UInt8], with other: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var place = 0
        while place < count {
            if self[place] == part.first, self[place...].starts(with: part) {
                result += other
                place += part.count
            } else {
                result.append(self[place])
                place += 1
            }
        }
        return result
    }
}
