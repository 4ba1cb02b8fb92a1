import Consent
package import Identifiers
import Interactions
package import Reports
import SQL

/// The counts of reports in a database.
package struct SQLReportStore: ReportStore {
    let guarded: GuardedDatabase

    init(_ guarded: GuardedDatabase) { self.guarded = guarded }

    package func counts(of message: MessageID, in organization: OrganizationID) async throws -> MessageCounts? {
        try await guarded.readLong(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db), let owner = try MessageOwner.find(message, db),
                owner.organization == row.number
            else { return nil }
            return try Self.counts(
                of: message, organization: row.number, areApart: owner.purposes.areApart, db)
        }
    }

    package func figures(
        of messages: [MessageID], in organization: OrganizationID
    ) async throws -> [MessageID: PeopleFigures] {
        guard !messages.isEmpty else { return [:] }
        return try await guarded.readLong(of: organization) { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return [:] }
            return try MessageFigures.read(of: Set(messages), in: number, db)
        }
    }

    package func counts(
        of selection: ReportSelection, in organization: OrganizationID
    ) async throws -> CampaignCounts {
        try await guarded.readLong(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return CampaignTotals().counts }
            var totals = CampaignTotals()
            let messages = try SelectedMessages.find(selection, in: row.number, db)
            let listed = try ListedMessage.all(messages, in: row.number, db)
            let apart = Set(messages.filter { listed[$0]?.purposes.areApart == true })
            // First, because it refuses a report that would take too long.
            try DistinctPeople.read(of: messages, apart: apart, db) { totals.add($0) }
            var names: [Int64: Purpose] = [:]
            try CampaignMessages.read(messages, listed, db) { counts, purposes in
                totals.add(
                    counts,
                    try purposes.map { number in
                        let name = try names[number] ?? PurposeRow.name(of: number, db)
                        names[number] = name
                        return name
                    })
            }
            return totals.counts
        }
    }

    private static func counts(
        of message: MessageID, organization: Int64, areApart: Bool, _ db: any SQLConnection
    ) throws -> MessageCounts {
        func people(_ activity: TrackedActivity) throws -> [DecisionReason: Int] {
            try PeopleCounting.counts(of: .init(message: message, activity: activity), db)
        }
        return MessageCounts(
            decisions: try decisions(of: message, db),
            people: areApart
                ? .apart(clicks: try people(.clicks), opens: try people(.opens)) : .together(try people(.clicks)),
            activity: MessageActivity(counts: try ActivityTable.counts(of: message, db)),
            peopleCountedUntil: try DeletedInteractions.since(message, db),
            tracksOpens: try MessageListRow.tracksOpens(message, organization: organization, db))
    }

    private static func decisions(of message: MessageID, _ db: any SQLConnection) throws -> [DecisionReason: Int] {
        let counts = try db.statement("SELECT reason, count FROM decision_counts WHERE message = ?")
            .all(message) { (try DecisionReason(code: $0.integer(0)), KeptCount.read($0.integer(1))) }
        // A damaged table may have a row twice.
        return Dictionary(counts) { first, _ in first }
    }
}
