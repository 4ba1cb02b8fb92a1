import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// The kept counts of consents by organization, purpose and day.
enum ConsentCountTable {
    /// An organization and a word of the evidence in its records.
    struct WordOwner: Hashable {
        let organization: Int64
        let word: EvidenceWord
    }

    static func insert(_ db: any SQLConnection) throws -> RowInsert {
        let stored = KeptCount.boundedChange("consent_counts.count", in: db.dialect)
        return try db.rows(
            """
            INSERT INTO consent_counts (organization, purpose, series, day, key, count) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT (organization, purpose, series, day, key) DO UPDATE SET count = \(stored) + excluded.count
            """
        )
    }

    /// The purposes that have counts, with one step in the index for each.
    static func purposes(of organization: Int64, _ db: any SQLConnection) throws -> [Int64] {
        let next = try db.statement(
            "SELECT min(purpose) FROM consent_counts WHERE organization = ? AND purpose > ?")
        var purposes: [Int64] = []
        while let purpose = try next.first(organization, purposes.last ?? 0, read: { $0.optionalInteger(0) }) ?? nil {
            purposes.append(purpose)
        }
        return purposes
    }

    /// The number of these purposes, counted up to `limit`, and their names, with one query.
    static func purposeNames(
        of organization: Int64, limit: Int, _ db: any SQLConnection
    ) throws -> (count: Int, names: Set<Purpose>) {
        let names = try db.statement(
            """
            WITH RECURSIVE counted (purpose) AS (
                SELECT min(purpose) FROM consent_counts WHERE organization = ?1
                UNION ALL
                SELECT (
                    SELECT min(c.purpose) FROM consent_counts c
                    WHERE c.organization = ?1 AND c.purpose > counted.purpose
                ) FROM counted WHERE counted.purpose IS NOT NULL
            )
            SELECT (SELECT name FROM purposes WHERE number = counted.purpose) FROM counted
                WHERE counted.purpose IS NOT NULL LIMIT ?2
            """
        ).all(organization, limit) { row in try row.ifReadable { try row.purpose(0) } }
        return (names.count, Set(names.compactMap(\.self)))
    }

    /// Whether a purpose has any counts. Every record that is stored is counted.
    static func hasRecords(of organization: Int64, for purpose: Int64, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM consent_counts WHERE organization = ? AND purpose = ? LIMIT 1")
            .first(organization, purpose) { _ in true } ?? false
    }

    /// The series of changes of statuses by blocks of 32 days, so that a stock reads few rows: `day` is the block.
    static let blocks: Int64 = 8

    static func block(of day: Int64) -> Int64 { day >> 5 }

    /// How many recipients had each status before a day, by the codes of the statuses.
    static func stock(
        of subject: ConsentCountBatch.Subject, before day: Int64, _ db: any SQLConnection
    ) throws -> [Int64: Int] {
        var stock: [Int64: Int] = [:]
        let block = block(of: day)
        func add(_: Int64, key: Int64, count: Int) { stock[key, default: 0].addCount(count) }
        try forEach(of: subject, blocks, on: Int64.min..<block, db, add)
        try forEach(of: subject, ConsentCounter.stock(.given).code.series, on: (block << 5)..<day, db, add)
        return stock
    }

    /// Calls `visit` with the counts of some days.
    static func forEach(
        of subject: ConsentCountBatch.Subject, _ series: Int64, on days: Range<Int64>, _ db: any SQLConnection,
        _ visit: (_ day: Int64, _ key: Int64, _ count: Int) -> Void
    ) throws {
        try db.statement(
            """
            SELECT day, key, count FROM consent_counts
            WHERE organization = ? AND purpose = ? AND series = ? AND day >= ? AND day < ?
            """
        ).forEach(subject.organization, subject.purpose, series, days.lowerBound, days.upperBound) { row in
            visit(row.integer(0), row.integer(1), KeptCount.readChange(row.integer(2)))
            return true
        }
    }
}

extension ConsentCounter {
    /// The numbers under which it is stored. They never change. Words have 6 and 7 (``EvidenceWord/Kind``), and blocks
    /// have 8.
    var code: (series: Int64, key: Int64) {
        switch self {
        case .records(let state): (1, Int64(state.code))
        case .stock(let status): (2, Int64(status.code))
        case .expired: (3, 0)
        case .erased: (4, 0)
        case .evidence(let evidence): (5, Int64(evidence.code))
        }
    }
}

extension CountedStatus: StoredCode {
    var code: UInt8 {
        switch self {
        case .given: 1
        case .refused: 2
        case .withdrawn: 3
        case .revoked: 4
        case .invalidated: 5
        case .expired: 6
        }
    }
}

extension CountedEvidence: StoredCode {
    var code: UInt8 {
        switch self {
        case .methodAndNotice: 1
        case .methodOnly: 2
        case .noticeOnly: 3
        case .other: 4
        case .none: 5
        }
    }
}
