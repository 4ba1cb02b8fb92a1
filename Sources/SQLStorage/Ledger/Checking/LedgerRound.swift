import Identifiers
import Ledger
import SQL

/// One step of checking the ledgers, inside a snapshot.
///
/// A step reads some hundred rows, so that it does not hold a connection or an old state of the database for long.
/// ``LedgerCheckPosition`` defines the order of phases and organizations.
struct LedgerRound {
    /// A step of a phase covers so many organizations, if they are small: each snapshot waits for a thread, which takes
    /// longer than the check of an organization with few entries.
    private static let organizationsPerStep = 16
    /// A step ends with the organization in which it has compared so many entries.
    private static let entriesPerStep = 512

    /// The result of one step of a phase.
    struct Outcome {
        /// Where the phase continues in this organization; `nil` if it is done there.
        var next: Int64?
        var entries = 0
        var finding: LedgerInconsistency.Finding?
    }

    let db: any SQLConnection
    let hasher: RecipientHasher
    /// The tree of an organization as it was committed before the snapshot began.
    let frontier: (Owner) throws -> CheckedFrontier
    /// Whether the ledger of an organization is closed, so that it need not be checked.
    let isClosed: (OrganizationID) -> Bool

    func step(from position: LedgerCheckPosition) throws -> LedgerCheckStep {
        do {
            return try readableStep(from: position)
        } catch let unreadable as UnreadableOrganization {
            // Looks again, without the organization, whose ledger is then closed.
            return LedgerCheckStep(next: position, finding: unreadable.finding)
        }
    }

    /// - Throws: ``UnreadableOrganization``
    private func readableStep(from position: LedgerCheckPosition) throws -> LedgerCheckStep {
        switch position.phase {
        case .strays: return try strays(from: position)
        case .indexes: return try indexes(of: .withEntries, from: position)
        case .withoutEntries: return try indexes(of: .withoutEntries, from: position)
        // Has its own implementation, because it counts over many steps, each in a snapshot of its own.
        case .closings: return LedgerCheckStep(next: position.afterPhase)
        case .messages: return try step(MessageCheck(db: db), from: position)
        case .recipients: return try step(RecipientCheck(hasher: hasher, db: db), from: position)
        case .people: return try step(RecipientHashCheck(hasher: hasher, db: db), from: position)
        case .settings:
            return try ledgerStep(from: position) { owner, _ in
                Outcome(finding: try SettingsCheck(owner, db).finding())
            }
        case .consents: return try ledgerStep(from: position) { try rows(.consent, $0).step(from: $1) }
        case .decisions: return try ledgerStep(from: position) { try rows(.decision, $0).step(from: $1) }
        case .events: return try ledgerStep(from: position) { try rows(.event, $0).step(from: $1) }
        case .accesses: return try ledgerStep(from: position) { try rows(.access, $0).step(from: $1) }
        case .hashes:
            return try ledgerStep(from: position) { owner, next in
                try HashCheck(owner.number, try frontier(owner).frontier, db).step(from: next)
            }
        }
    }

    /// Checks one organization after the other.
    /// - Parameter check: compares a part of an organization's ledger, from a place on.
    private func ledgerStep(
        from position: LedgerCheckPosition, _ check: (Owner, Int64) throws -> Outcome
    ) throws -> LedgerCheckStep {
        var (start, entries) = (position, 0)
        for _ in 0..<Self.organizationsPerStep {
            guard let organization = try organization(from: start.organization) else {
                return LedgerCheckStep(next: position.afterPhase, entries: entries)
            }
            // Nothing comes after the greatest number, which no organization of the service has.
            let following =
                organization.number == .max
                ? position.afterPhase
                : LedgerCheckPosition(phase: position.phase, organization: organization.number + 1, next: 0)
            if !isClosed(organization.id) {
                let first = organization.number == start.organization ? start.next : 0
                let outcome = try outcome(of: check, organization, from: first)
                entries += outcome.entries
                if let finding = outcome.finding {
                    return LedgerCheckStep(
                        next: following, entries: entries, finding: LedgerInconsistency(organization.id, finding))
                }
                if let next = outcome.next {
                    let place = LedgerCheckPosition(
                        phase: position.phase, organization: organization.number, next: next)
                    return LedgerCheckStep(next: place, entries: entries)
                }
            }
            guard let following, following.phase == position.phase, entries < Self.entriesPerStep else {
                return LedgerCheckStep(next: following, entries: entries)
            }
            start = following
        }
        return LedgerCheckStep(next: start, entries: entries)
    }

    /// The tree that the rows of a ledger are compared with.
    struct CheckedFrontier {
        let frontier: TreeFrontier
        /// `false` if a part of it was computed from the rows.
        let isCommitted: Bool
    }

    /// An organization, by its number and its name.
    struct Owner {
        let number: Int64
        let id: OrganizationID
    }

    private func organization(from number: Int64) throws -> Owner? {
        try db.statement("SELECT number, id FROM organizations WHERE number >= ? ORDER BY number LIMIT 1")
            .first(number) { Owner(number: $0.integer(0), id: try $0.organizationID(1, number: 0)) }
    }

    private func outcome(
        of check: (Owner, Int64) throws -> Outcome, _ owner: Owner, from next: Int64
    ) throws -> Outcome {
        do {
            return try check(owner, next)
        } catch StorageError.unreadable {
            // A tile or a run is malformed; all other errors are caught where the rows are read.
            if let entries = try LedgerTree.entriesWithoutHashes(owner.number, db) {
                return Outcome(finding: .hashes(entries))
            }
            return Outcome(finding: .derived(.runs(UInt64(clamping: next))))
        }
    }

    private func rows(_ kind: LedgerKind, _ owner: Owner) throws -> RowCheck {
        try RowCheck(kind, owner, hasher, frontier(owner), db)
    }

    private func step(_ check: some TableCheck, from position: LedgerCheckPosition) throws -> LedgerCheckStep {
        var owners: [Int64: OrganizationID?] = [:]
        let outcome = try check.step(from: position.next) { number in
            if let known = owners[number] { return known }
            let owner = try owner(number)
            owners[number] = .some(owner)
            return owner
        }
        let next = outcome.next.map { LedgerCheckPosition(phase: position.phase, organization: 0, next: $0) }
        return LedgerCheckStep(next: next ?? position.afterPhase, finding: outcome.finding)
    }

    /// The organization with a number; `nil` if there is none, or if its ledger is closed.
    private func owner(_ number: Int64) throws -> OrganizationID? {
        let id = try db.statement("SELECT id, number FROM organizations WHERE number = ?")
            .first(number) { try $0.organizationID(0, number: 1) }
        return id.flatMap { isClosed($0) ? nil : $0 }
    }

    /// Looks for rows without an entry, in the tables of all organizations together.
    private func strays(from position: LedgerCheckPosition) throws -> LedgerCheckStep {
        // The kind takes the place of the organization.
        guard let kind = LedgerKind(rawValue: UInt8(clamping: max(position.organization, 1))) else {
            return LedgerCheckStep(next: position.afterPhase)
        }
        let (next, row) = try StrayCheck(kind: kind, db)
            .step(after: position.organization == 0 ? .min : position.next, owner: owner)
        let following = LedgerCheckPosition(phase: .strays, organization: Int64(kind.rawValue) + 1, next: .min)
        let goesOn = next.map {
            LedgerCheckPosition(phase: .strays, organization: Int64(kind.rawValue), next: $0)
        }
        let finding = row.map { row in
            LedgerInconsistency(
                row.organization, .row(LedgerRowName(kind.name, row.number), entry: nil, .withoutEntry))
        }
        return LedgerCheckStep(next: goesOn ?? following, finding: finding)
    }

    /// Compares indexes with their tables, for all organizations together.
    private func indexes(
        of tables: IndexCheck.Tables, from position: LedgerCheckPosition
    ) throws -> LedgerCheckStep {
        // The part takes the place of the organization.
        let isFirst = position == LedgerCheckPosition(phase: position.phase, organization: 0, next: 0)
        let outcome = try IndexCheck(tables: tables, db: db)
            .step(position.organization, after: isFirst ? .min : position.next)
        let goesOn = outcome.next.map {
            LedgerCheckPosition(phase: position.phase, organization: $0.part, next: $0.last)
        }
        let next = goesOn ?? position.afterPhase
        for row in outcome.rows {
            let open = if let number = row.organization { try owner(number) } else { try anyOpen() }
            guard let id = open else { continue }
            // Looks again, for the next organization.
            return LedgerCheckStep(next: position, finding: LedgerInconsistency(id, row.finding))
        }
        return LedgerCheckStep(next: next)
    }

    /// The first organization whose ledger is not closed.
    private func anyOpen() throws -> OrganizationID? {
        try db.statement("SELECT id, number FROM organizations NOT INDEXED ORDER BY number")
            .all { try $0.organizationID(0, number: 1) }.first { !isClosed($0) }
    }
}
