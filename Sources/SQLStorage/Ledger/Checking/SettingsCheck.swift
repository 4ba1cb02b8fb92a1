import Consent
import Identifiers
import Ledger
import Organizations
import SQL

/// Compares an organization's row with the entries about it, and the name of its ledger with its own.
struct SettingsCheck {
    private let owner: LedgerRound.Owner
    private let db: any SQLConnection

    init(_ owner: LedgerRound.Owner, _ db: any SQLConnection) {
        self.owner = owner
        self.db = db
    }

    func finding() throws -> LedgerInconsistency.Finding? {
        // The name leads to the organization by an index.
        guard try OrganizationRow.number(ifAny: owner.id, db) == owner.number else {
            return .derived(.index(table: "organizations"))
        }
        guard let origin = try LedgerRow.origin(of: owner.number, db) else { return .derived(.ledger) }
        guard let name = try? KeyName(origin), name.isLedger(of: owner.id) else { return .derived(.origin) }
        do {
            guard let settings = try OrganizationSettingsRow.find(owner.id, db) else { return nil }
            try requireReadable()
            if let finding = try enforcement(settings.enforcement) { return finding }
        } catch StorageError.unreadable {
            return .derived(.settings)
        }
        return try erasures()
    }

    /// Reads the values of the organization's row besides its settings: the other stores need them.
    private func requireReadable() throws {
        _ = try OrganizationRow.require(owner.id, db)
        _ = try RetentionRow.newestForgottenDecision(owner.number, db)
        _ = try AccessForgetting.newestForgotten(owner.number, db)
        guard try ForgettingState.find(owner.number, db) != nil, try QuotasRow.isCounted(owner.number, db) else {
            throw StorageError.unreadable
        }
    }

    private struct Change: Equatable {
        let enforcement: Enforcement
        let since: Timestamp

        var entry: [UInt8] { LedgerEntry.enforcement(at: since, enforcement).json }
    }

    /// Checks that the present enforcement and its history follow from the entries. Changes before the ledger have no
    /// entry: the first entry has the enforcement that applied when the ledger began.
    private func enforcement(_ present: Enforcement) throws -> LedgerInconsistency.Finding? {
        let entries = try db.statement(
            """
            SELECT number, entry FROM ledger_events
            WHERE organization = ? AND \(db.dialect.bytes("entry", contain: StoredEvent.Kind.enforcement.text))
            ORDER BY number
            """
        ).all(owner.number) { (number: $0.integer(0), bytes: $0.bytes(1)) }
        let history = try db.statement(
            "SELECT enforcement, since FROM enforcements WHERE organization = ? ORDER BY number"
        ).all(owner.number) { row in
            Change(enforcement: try Enforcement(code: row.integer(0)), since: row.timestamp(1))
        }
        let entered = history.suffix(entries.count)
        guard let first = entries.first, let begun = entered.first, entered.count == entries.count,
            history.last?.enforcement == present,
            zip(entered, entries).dropFirst().allSatisfy({ $0.entry == $1.bytes }),
            // If a ledger is as old as its organization, its first entry is the change itself; otherwise it is the
            // enforcement that applied when the ledger began.
            begun.entry == first.bytes || LedgerEntry.begins(first.bytes, with: begun.enforcement)
        else { return .derived(.enforcement) }
        return try unentered(entries.map(\.number))
    }

    /// A finding for one of these events that has no entry.
    private func unentered(_ events: [Int64]) throws -> LedgerInconsistency.Finding? {
        let rows = LedgerRows(owner.number, db)
        do {
            for number in events {
                let row = LedgerRowName(.event, number)
                if try rows.leaf(of: row) == nil { return .row(row, entry: nil, .withoutEntry) }
            }
            return nil
        } catch StorageError.unreadable {
            return .derived(.runs(0))
        }
    }

    /// Consent records without a recipient can only come from erasures, which have entries.
    private func erasures() throws -> LedgerInconsistency.Finding? {
        let found = try count("")
        let entered = try EnteredCount.sum(of: .consents, in: owner.number, db)
        let finding = LedgerInconsistency.Finding.derived(.erasures(found: found, entered: entered))
        guard try !LedgerAge.isOfOrganization(owner.number, db) else { return found == entered ? nil : finding }
        // Records older than the ledger have no entry, but erasures of the first versions counted them.
        let kept = try count("AND \(LedgerKind.consent.keptCommitment(of: "consents.id")) IS NOT NULL")
        let before =
            try db.statement("SELECT consents FROM erased_before_ledger WHERE organization = ?")
            .first(owner.number) { $0.integer(0) } ?? 0
        return kept <= entered && entered <= found &- before ? nil : finding
    }

    /// The number of consent records without a recipient.
    private func count(_ condition: String) throws -> Int64 {
        try db.statement(
            """
            SELECT count(*) FROM consents INDEXED BY consents_in_force
            WHERE organization = ? AND recipient IS NULL \(condition)
            """
        ).first(owner.number) { $0.integer(0) } ?? 0
    }
}

extension LedgerEntry {
    /// Whether an entry states this enforcement, at any time.
    fileprivate static func begins(_ bytes: [UInt8], with enforcement: Enforcement) -> Bool {
        let end = Array(#"","enforcement":"\#(enforcement.rawValue)","type":"enforcement","v":1}"#.utf8)
        return bytes.suffix(end.count).elementsEqual(end)
    }
}
