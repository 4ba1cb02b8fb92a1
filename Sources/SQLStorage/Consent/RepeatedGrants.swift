import Consent
import Cryptography
import Identifiers
import SQL
import StoragePorts

/// Recognises a second copy of a grant whose sender's clock was ahead, inside the write that stores it.
///
/// Such a grant counts from when it is stored. A sender that lost the answer sends it again, and the second copy would
/// count from later: it would outrank a withdrawal that came in between. So the first copy leaves a mark among the
/// requests that had their effect, for as long as these are kept, and each further copy gets the time of the first.
///
/// A grant with a time that was over when it was stored needs no mark: each copy has that time.
struct RepeatedGrants {
    private let writing: WriteContext
    private let hasher: RecipientHasher
    private let now: Timestamp
    private let find: SQLStatement
    /// When the oldest of the kept requests was made: `distantFuture` if none is kept; `nil` until it is read.
    private var oldest: Timestamp?
    /// The answers of ``prefetch(_:about:)``, and the marks that were made since.
    private var times: [[UInt8]: Timestamp] = [:]
    private var isPrefetched = false

    init(_ hasher: RecipientHasher, at now: Timestamp, _ writing: WriteContext) throws {
        self.hasher = hasher
        self.now = now
        self.writing = writing
        find = try writing.db.statement("\(Self.selection) WHERE r.key = ?")
    }

    private static let selection =
        "SELECT c.occurred_at, r.key FROM requests r JOIN consents c ON c.id = r.first"

    /// Looks up all of them with one query, if the engine has lists.
    mutating func prefetch(_ records: [NewConsentRecord], about people: [NamedRecipient]) throws {
        guard writing.db.dialect.hasLists, records.count > 1 else { return }
        var marks: [[UInt8]] = []
        for (record, person) in zip(records, people) {
            if let mark = try mark(of: record, about: person) { marks.append(mark) }
        }
        isPrefetched = true
        guard !marks.isEmpty else { return }
        try writing.db.statement("\(Self.selection) WHERE r.key = ANY(?)").forEach(ByteStringList(marks)) { row in
            times[row.bytes(1)] = row.timestamp(0)
            return true
        }
    }

    /// The time of the first copy; `nil` if no other copy is known.
    ///
    /// - Parameter mark: of ``mark(of:about:)``.
    func time(ofFirstUnder mark: [UInt8]) throws -> Timestamp? {
        if let time = times[mark] { return time }
        return isPrefetched ? nil : try find.first(mark) { $0.timestamp(0) }
    }

    /// Enters the first copy, if its sender's clock is ahead.
    mutating func enter(_ stored: ConsentRecord, claimed: Timestamp?, under mark: [UInt8]) throws {
        guard let claimed, claimed > stored.occurredAt else { return }
        times[mark] = stored.occurredAt
        let id = stored.id.number
        try RequestRow.insert(
            IdempotencyFingerprint(key: mark, body: mark), RequestEffect(first: id, last: id, isNew: true), at: now,
            writing)
    }

    /// A keyed hash of the values that identify a grant: organization, recipient, purpose, both times and the evidence.
    ///
    /// - Returns: `nil` for a record whose copies need no common time: a no, a grant without a time, and one that
    ///   occurred before every mark was made.
    mutating func mark(of record: NewConsentRecord, about person: NamedRecipient) throws -> [UInt8]? {
        guard !record.state.endsTracking, let claimed = record.claimedAt else { return nil }
        if claimed <= now {
            guard try claimed > oldestRequest() else { return nil }
        }
        var content = person.hash.bytes + Array(record.purpose.description.utf8) + [0]
        for time in [claimed, record.validUntil ?? .distantPast] {
            withUnsafeBytes(of: time.millisecondsSince1970.bigEndian) { content.append(contentsOf: $0) }
        }
        if let evidence = record.evidence { content.append(contentsOf: EvidenceJSON.encode(evidence).utf8) }
        return try hasher.mark(of: content).bytes
    }

    private mutating func oldestRequest() throws -> Timestamp {
        if let oldest { return oldest }
        let found = try RequestRow.oldest(writing.db) ?? .distantFuture
        oldest = found
        return found
    }
}
