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
    private var records: [Subject: RankedRecords] = [:]

    mutating func add(_ record: ConsentInForce, about recipient: RecipientID, for purpose: Purpose) {
        records[subject(recipient, purpose), default: RankedRecords()].add(record)
    }

    /// The added record that is in force at `instant`.
    mutating func inForce(_ recipient: RecipientID, _ purpose: Purpose, at instant: Timestamp) -> ConsentInForce? {
        guard !records.isEmpty else { return nil }
        return records[subject(recipient, purpose)]?.inForce(at: instant)
    }

    private mutating func subject(_ recipient: RecipientID, _ purpose: Purpose) -> Subject {
        // No purpose contains a zero byte, so the two parts are unambiguous.
        hasher.update(Array(purpose.description.utf8) + [0] + Array(recipient.text.utf8))
        let digest = hasher.finishInline()
        func number(from start: Int) -> UInt64 { (start..<start + 8).reduce(0) { $0 << 8 | UInt64(digest[$1]) } }
        return Subject(high: number(from: 0), low: number(from: 8))
    }
}
