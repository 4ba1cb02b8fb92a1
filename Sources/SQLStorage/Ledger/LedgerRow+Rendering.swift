import Consent
import Identifiers
import Ledger
import SQL

extension LedgerRow {
    /// Renders the entry of a row: id, message, purpose, recipient, reason, enforcement, consent record, salt, kept
    /// commitment and activity of a decision; the columns of a consent record, recipient, salt and kept commitment; the
    /// columns of an access, salt and kept commitment; number and entry of an event.
    ///
    /// - Throws: ``RowError/unreadable(_:)``
    static func render(
        _ row: SQLRow, _ kind: LedgerKind, _ renderer: inout EntryRenderer
    ) throws -> (subject: LedgerItem.Subject, commitment: CommitmentSource?) {
        switch kind {
        case .decision:
            let commitment = row.commitment(salt: 7, kept: 8)
            let id = try row.readable(.decision, id: 0) {
                let id = try row.id(0, DecisionID.self)
                renderer.render(
                    id, about: try TrackedActivity?(code: row.integer(9)),
                    reason: try DecisionReason(code: row.integer(4)),
                    enforcement: try Enforcement(code: row.integer(5)), of: try row.id(1),
                    purpose: try row.purpose(2), recipient: try row.recipient(3), consent: try row.optionalID(6),
                    commitment: commitment)
                return id
            }
            return (.decision(id), commitment)
        case .consent:
            let (record, commitment) = (try ConsentRecordRow.record(row), row.commitment(salt: 8, kept: 9))
            let recipient = try row.readable(.consent, id: 0) { try row.recipient(7) }
            renderer.render(record, about: recipient, commitment: commitment)
            return (.consent(record.id), commitment)
        case .access:
            let (access, commitment) = (try AccessRow.entry(row), row.commitment(salt: 5, kept: 6))
            renderer.render(access, commitment: commitment)
            return (.access(access.id), commitment)
        case .event:
            renderer.take(row.bytes(1))
            return (.event, nil)
        }
    }
}

extension LedgerKind {
    init(_ kind: LedgerRowName.Kind) {
        self =
            switch kind {
            case .decision: .decision
            case .consent: .consent
            case .event: .event
            case .access: .access
            }
    }

    var name: LedgerRowName.Kind {
        switch self {
        case .decision: .decision
        case .consent: .consent
        case .event: .event
        case .access: .access
        }
    }
}
