import Identifiers
import TrackingIDs

/// Only what a sealer wrote is opened, in the one spelling that it has.
struct TrackingIDTarget: FuzzTarget {
    static let name = "tracking-id"

    private let opener: TrackingIDOpener
    /// By key id.
    private let sealers: [UInt8: TrackingIDSealer]

    init() throws {
        opener = try TrackingIDOpener(keyRing: Samples.keyRing())
        sealers = [
            1: try TrackingIDSealer(keyRing: Samples.formerKeyRing()),
            2: try TrackingIDSealer(keyRing: Samples.keyRing()),
        ]
    }

    func hold(_ input: [UInt8]) throws -> Bool {
        try holdMadeUp(input)
        switch opener.open(input.span) {
        case .refused: return false
        case .opened(let id, let keyID):
            try demand(sealed(id, keyID) == input, "a text opens that no sealer writes")
            return true
        }
    }

    private func sealed(_ id: TrackingID, _ keyID: UInt8) -> [UInt8]? {
        sealers[keyID].map { sealer in
            var text: [UInt8] = []
            sealer.seal(id, appendingTo: &text)
            return text
        }
    }

    /// Nobody guesses a tag, so the input is also read as the content of a tracking ID, 23 bytes, and the places and
    /// bytes of changes that are made to its sealed form.
    private func holdMadeUp(_ input: [UInt8]) throws {
        guard input.count >= 23 else { return }
        func number(_ place: Range<Int>) -> UInt64 { input[place].reduce(0) { $0 << 8 | UInt64($1) } }
        guard let message = MessageID(rawValue: number(0..<8)),
            let recipient = RecipientReference(rawValue: number(8..<16))
        else { return }
        let id = TrackingID(
            message: message, recipient: recipient, link: LinkIndex(rawValue: UInt16(number(16..<18))),
            expiry: LinkExpiry(secondsSince1970: UInt32(number(18..<22))))
        let keyID = input[22] % 2 + 1
        guard let text = sealed(id, keyID) else { return }
        try demand(opener.open(text.span) == .opened(id, keyID: keyID), "what was sealed does not open as what it was")
        var changed = text
        var changes = input[23...]
        while let place = changes.popFirst(), let byte = changes.popFirst() {
            changed[Int(place) % changed.count] = byte
        }
        try demand((opener.open(changed.span).trackingID != nil) == (changed == text), "a text opens that was changed")
    }
}
