import Consent
import Identifiers
import Ledger
import SQL

/// A row with an entry. Checks the values that follow from the entry but are not in it.
struct CheckedRow {
    private let row: SQLRow
    private let kind: LedgerKind
    private let organization: Int64

    init(_ row: SQLRow, _ kind: LedgerKind, organization: Int64) {
        self.row = row
        self.kind = kind
        self.organization = organization
    }

    var name: LedgerRowName { LedgerRowName(kind.name, row.integer(0)) }

    /// The volume of a decision, which never decreases; the same number for all other rows.
    var volume: Int64 { kind == .decision ? row.integer(14) : 1 }

    /// The recipient of a decision whose reason is an earlier erasure, if the recipient has been entered again.
    var judgedErased: (recipient: Int64, name: RecipientID)? {
        guard kind == .decision, row.integer(4) == Int64(DecisionReason.recipientErased.code), !row.isNull(13),
            let name = try? row.recipient(3)
        else { return nil }
        return (row.integer(13), name)
    }

    /// Renders the row's entry.
    ///
    /// - Returns: a fault of the row that does not depend on its entry; `nil` if there is none.
    func fault(after lastVolume: Int64, _ renderer: inout EntryRenderer) throws -> LedgerRowFault? {
        do {
            _ = try LedgerRow.render(row, kind, &renderer)
        } catch RowError.unreadable {
            return .unreadable
        }
        let fault: LedgerRowFault? =
            switch kind {
            case .decision: decisionFault(after: lastVolume)
            case .consent: consentFault()
            case .access: accessFault()
            case .event: row.integer(2) == organization ? nil : .foreign
            }
        do throws(StorageError) { try row.requireReadable() } catch { return .unreadable }
        return fault
    }

    private func decisionFault(after lastVolume: Int64) -> LedgerRowFault? {
        if row.integer(10) != organization { return .foreign }
        let hasRecipient = !row.isNull(13)
        let isOfMessage = row.optionalInteger(11) == organization
        if !isOfMessage || (hasRecipient && row.optionalInteger(12) != organization) { return .unrelated }
        let (hasSalt, isKept) = (!row.isNull(7), !row.isNull(8))
        if hasSalt == isKept { return .named }
        if isKept, hasRecipient || !row.isNull(6) { return .named }
        if volume < lastVolume { return .volume }
        return row.bool(15) ? .unlisted : nil
    }

    private func consentFault() -> LedgerRowFault? {
        if row.integer(10) != organization { return .foreign }
        let hasRecipient = !row.isNull(12)
        if hasRecipient, row.optionalInteger(11) != organization { return .unrelated }
        let (hasSalt, isKept) = (!row.isNull(8), !row.isNull(9))
        if hasSalt == isKept { return .named }
        if isKept, hasRecipient || !row.isNull(6) { return .named }
        return row.bool(14) == row.bool(13) ? nil : .endsTracking
    }

    private func accessFault() -> LedgerRowFault? {
        if row.integer(7) != organization { return .foreign }
        let hasRecipient = !row.isNull(9)
        if hasRecipient, row.optionalInteger(8) != organization { return .unrelated }
        let (hasSalt, isKept) = (!row.isNull(5), !row.isNull(6))
        if hasSalt == isKept { return .named }
        return isKept && (hasRecipient || !row.isNull(4)) ? .named : nil
    }
}
