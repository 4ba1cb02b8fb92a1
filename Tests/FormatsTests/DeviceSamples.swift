import Cryptography
import Formats
import Identifiers
import Messages
import TestSupport
import Testing
import TrackingIDs

/// What goes to devices, of all three systems.
enum DeviceSamples {
    static let formats: [PayloadFormat] = PayloadFormat.Platform.allCases.flatMap {
        [.dynamics365($0), .adobeCampaign($0), .bird($0)]
    }
    /// Those that `Samples.formats` has not.
    static let newFormats = formats.filter { !Samples.formats.contains($0) }

    static let messageID = "33b2e7a1c04f1d2a"
    /// Of the message itself, to the recipient of `Samples`, as in the vectors of tracking IDs.
    static let trackingID = "AQFr8iGAAADgfotOc2BiKjNh8bvhTv4CzHeBsu5BTXS9MEFykykqAg"
    static let hexadecimal = "01016bf221800000e07e8b4e7360622a3361f1bbe14efe02cc7781b2ee414d74bd30417293292a02"

    static func opener() throws -> TrackingIDOpener {
        let key = KeyRing.Key(
            id: 1, secret: SecretBytes(Array(0..<32)), createdAt: Timestamp(secondsSince1970: 1_795_338_000))
        return try TrackingIDOpener(keyRing: KeyRing(keys: [key]))
    }

    /// What the samples' tracking ID opens to.
    static func opened() throws -> TrackingID {
        TrackingID(
            message: try MessageID(messageID),
            recipient: try #require(RecipientReference(rawValue: 0x9f3c_51d0_7be2_648a)),
            link: .message, expiry: LinkExpiry(secondsSince1970: 1_811_030_400))
    }
}

extension [UInt8] {
    /// The bytes with one to three of them changed, left out, put in, doubled, or with their end cut off.
    func mutated(using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = self
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0...Swift.max(0, bytes.count - 1), using: &generator)
            let byte = UInt8.random(in: 0...255, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: if !bytes.isEmpty { bytes[place] = byte }
            case 1: if !bytes.isEmpty { bytes.remove(at: place) }
            case 2: bytes.insert(byte, at: Swift.min(place, bytes.count))
            case 3: bytes.insert(contentsOf: bytes[Swift.min(place, bytes.count)...], at: Swift.min(place, bytes.count))
            default: bytes.removeSubrange(Swift.min(place, bytes.count)...)
            }
        }
        return bytes
    }
}
