import Cryptography
import Identifiers

/// The spellings of the e-mail addresses that a ledger names.
///
/// An organization that compares recipients as e-mail addresses names each of them in one spelling, as long as the
/// recipient is not erased. The ledger does not say how an organization compares them.
///
/// It takes about 50 bytes for each address, which is stored as a hash of 128 bits.
struct RecipientSpellings: ~Copyable {
    private struct Address: Hashable {
        let high: UInt64
        let low: UInt64
    }

    private enum Seen {
        /// In one spelling, which has this hash.
        case once(UInt64)
        case respelled
    }

    private var hasher = SHA256()
    private var seen: [Address: Seen] = [:]

    /// - Returns: whether the address was in another spelling before, and in no third one.
    mutating func isRespelled(_ recipient: RecipientID) -> Bool {
        guard recipient.text.utf8.contains(UInt8(ascii: "@")) else { return false }
        let key = RecipientKey(recipient, by: .email)
        let address = hash(key.text)
        let spelling = key.isRespelled ? hash(recipient.text).low : address.low
        switch seen[address] {
        case nil:
            seen[address] = .once(spelling)
            return false
        case .once(spelling), .respelled: return false
        case .once:
            seen[address] = .respelled
            return true
        }
    }

    private mutating func hash(_ text: String) -> Address {
        hasher.update(Array(text.utf8))
        let digest = hasher.finishInline()
        func number(from start: Int) -> UInt64 { (start..<start + 8).reduce(0) { $0 << 8 | UInt64(digest[$1]) } }
        return Address(high: number(from: 0), low: number(from: 8))
    }
}
