package import Consent
package import Identifiers
package import Interactions
package import Reports
import SQL

extension SQLReportStore {
    package func consents(
        _ selection: ConsentReportSelection, in organization: OrganizationID
    ) async throws -> ConsentCounts {
        try await guarded.readLong(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return ConsentCounts() }
            var reading = ConsentCountReading(selection, organization: row.number)
            for number in try ConsentCountTable.purposes(of: row.number, db) {
                let name = try PurposeRow.name(of: number, db)
                if selection.purpose.map({ $0 == name }) ?? true { try reading.add(number, name, db) }
            }
            return try reading.counts(db)
        }
    }

    package func decisions(
        on selection: ReportSelection, in organization: OrganizationID
    ) async throws -> [CalendarDay: [DecisionReason: Int]] {
        let days = ConsentReportSelection(selection, purpose: nil, now: selection.to).days
        return try await guarded.readLong(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [:] }
            return try DecisionDayTable.counts(of: row.number, on: days, db)
        }
    }
}

/// Adds up the kept consent counts for several purposes.
private struct ConsentCountReading {
    private let selection: ConsentReportSelection
    private let organization: Int64
    private var counts = ConsentCounts()
    private var days: [Int64: ConsentCounts.Day]
    /// The growth of each stock on each day, and before the first day.
    private var changes: [Int64: [CountedStatus: Int]] = [:]
    private var before: [CountedStatus: Int] = [:]
    private var words: [EvidenceWord.Kind: [Int64: Int]] = [:]

    init(_ selection: ConsentReportSelection, organization: Int64) {
        self.selection = selection
        self.organization = organization
        days = Dictionary(
            uniqueKeysWithValues: selection.days.map { ($0, ConsentCounts.Day(CalendarDay(number: $0))) })
        for ahead in ConsentReportSelection.aheads { counts.ending[ahead] = 0 }
    }

    mutating func add(_ purpose: Int64, _ name: Purpose, _ db: any SQLConnection) throws {
        counts.purposes.append(name)
        let subject = ConsentCountBatch.Subject(organization: organization, purpose: purpose)
        func forEach(_ series: Int64, _ visit: (Int64, Int64, Int) -> Void) throws {
            try ConsentCountTable.forEach(of: subject, series, on: selection.days, db, visit)
        }
        for (key, count) in try ConsentCountTable.stock(of: subject, before: selection.days.lowerBound, db) {
            if let status = try? CountedStatus(code: key) { before[status, default: 0].addCount(count) }
        }
        try forEach(1) { day, key, count in
            if let state = try? ConsentState(code: key) { days[day]?.records[state, default: 0].addCount(count) }
        }
        try forEach(2) { day, key, count in
            guard let status = try? CountedStatus(code: key) else { return }
            changes[day, default: [:]][status, default: 0].addCount(count)
        }
        try forEach(3) { day, _, count in days[day]?.expired.addCount(count) }
        try forEach(4) { day, _, count in days[day]?.erased.addCount(count) }
        try forEach(5) { _, key, count in
            if let evidence = try? CountedEvidence(code: key) { counts.evidence[evidence, default: 0].addCount(count) }
        }
        for kind in EvidenceWord.Kind.allCases {
            try forEach(kind.series) { _, key, count in words[kind, default: [:]][key, default: 0].addCount(count) }
        }
        try addEnding(subject, db)
    }

    private mutating func addEnding(_ subject: ConsentCountBatch.Subject, _ db: any SQLConnection) throws {
        let today = selection.today.number
        let last = ConsentReportSelection.aheads.max() ?? 0
        try ConsentCountTable.forEach(of: subject, 3, on: (today + 1)..<(today + 1 + last), db) { day, _, count in
            for ahead in ConsentReportSelection.aheads where day <= today + ahead {
                counts.ending[ahead, default: 0].addCount(count)
            }
        }
    }

    mutating func counts(_ db: any SQLConnection) throws -> ConsentCounts {
        counts.purposes.sort { $0.description.utf8.lexicographicallyPrecedes($1.description.utf8) }
        var stock = before
        for number in selection.days {
            stock.merge(changes[number] ?? [:], uniquingKeysWith: Int.countSum)
            guard var day = days[number] else { continue }
            day.stock = stock.filter { $0.value != 0 }
            counts.days.append(day)
        }
        counts.methods = try told(.method, db) { $0.method }
        counts.notices = try told(.notice, db) { evidence in
            evidence.notice.map { ConsentCounts.Notice(id: $0.id, version: $0.version) }
        }
        return counts
    }

    private func told<Value: Hashable & Sendable>(
        _ kind: EvidenceWord.Kind, _ db: any SQLConnection, _ value: (ConsentEvidence) -> Value?
    ) throws -> ConsentCounts.Words<Value> {
        let counted = words[kind] ?? [:]
        guard !counted.isEmpty else { return .init() }
        let known = try EvidenceWordTable.all(kind, of: organization, db)
        var told: [(text: String, word: ConsentCounts.Word<Value>)] = []
        var others = 0
        for (number, count) in counted {
            if count >= ConsentCounts.minimumShownCount, let evidence = known[number], let value = value(evidence),
                try EvidenceWordTable.hasRecipients(number, atLeast: ConsentCounts.minimumShownCount, db)
            {
                told.append((EvidenceJSON.encode(evidence), .init(value: value, given: count)))
            } else {
                others.addCount(count)
            }
        }
        told.sort { one, other in
            one.word.given == other.word.given
                ? one.text.utf8.lexicographicallyPrecedes(other.text.utf8) : one.word.given > other.word.given
        }
        return .init(told.map(\.word), others: others)
    }
}
