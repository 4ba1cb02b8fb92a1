import Consent
import Cryptography
import Identifiers

/// The consent records of a ledger that name their recipient, by recipient and purpose.
///
/// It takes about 80 bytes for each record and nothing for decisions. Recipients are stored as hashes of 128 bits, so
/// that two of them cannot be made to collide.
struct ConsentTimeline: ~Copyable {
    private struct Subject: Hashable {
        let high: UInt64
        let low: UInt64
    }

    private var hasher = SHA256()
    /// The records of one recipient and purpose, in the order in which they outrank each other.
    private var records: [Subject: [ConsentInForce]] = [:]

    mutating func add(_ record: ConsentInForce, about recipient: RecipientID, for purpose: Purpose) {
        let subject = subject(recipient, purpose)
        let place = records[subject, default: []].lastIndex { record.outranks($0) }.map { $0 + 1 } ?? 0
        records[subject, default: []].insert(record, at: place)
    }

    /// The added record that is in force at `instant`.
    mutating func inForce(_ recipient: RecipientID, _ purpose: Purpose, at instant: Timestamp) -> ConsentInForce? {
        guard !records.isEmpty, let records = records[subject(recipient, purpose)] else { return nil }
        var (low, high) = (0, records.count)
        while low < high {
            let middle = (low + high) / 2
            if records[middle].occurredAt <= instant { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? nil : records[low - 1]
    }

    private mutating func subject(_ recipient: RecipientID, _ purpose: Purpose) -> Subject {
        // No purpose contains a zero byte, so the two parts are unambiguous.
        hasher.update(Array(purpose.description.utf8) + [0] + Array(recipient.text.utf8))
        let digest = hasher.finishInline()
        func number(from start: Int) -> UInt64 { (start..<start + 8).reduce(0) { $0 << 8 | UInt64(digest[$1]) } }
        return Subject(high: number(from: 0), low: number(from: 8))
    }
}
