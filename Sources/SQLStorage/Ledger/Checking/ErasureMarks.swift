import Consent
import Identifiers
import SQL

/// Whether the marks of erased recipients follow from the records and decisions.
///
/// An erased recipient keeps the mark until a new grant that is in force when it is recorded. The first record after
/// the erasure makes a new row in `recipients`, so everything about that row came after the erasure.
struct ErasureMarks {
    let organization: Int64
    let db: any SQLConnection

    /// Whether a row may belong to a recipient who is marked as erased: there is a record about it, no record that ends
    /// an erasure, and no decision that is only made about recipients who were not erased.
    func mayBeMarked(_ recipient: Int64) throws -> Bool {
        guard try has(Self.records, recipient),
            try !has(Self.grants + " AND (valid_until IS NULL OR valid_until > recorded_at)", recipient),
            try !has("SELECT 1 FROM tracked_unasked WHERE organization = ? AND recipient = ?", recipient)
        else { return false }
        // Marked recipients are few, and there may be many volumes.
        let unasked = try db.statement(
            "SELECT 1 FROM decisions WHERE volume = ? AND recipient = ? AND reason IN (?, ?) LIMIT 1")
        for volume in try LogVolumes.all(of: .decisions, db) {
            let found = try unasked.first(
                volume, recipient, DecisionReason.noConsentRecord.code, DecisionReason.notOptedOut.code
            ) { $0.integer(0) }
            if found != nil { return false }
        }
        return true
    }

    /// Whether there is a grant about a row. A grant that had ended when it was recorded counts too, because earlier
    /// versions removed the mark for it.
    func isGranted(_ recipient: Int64) throws -> Bool { try has(Self.grants, recipient) }

    private static let records = "SELECT 1 FROM consents WHERE organization = ? AND recipient = ?"
    private static let grants = "\(records) AND state = \(ConsentState.given.code)"

    private func has(_ query: String, _ recipient: Int64) throws -> Bool {
        try db.statement("\(query) LIMIT 1").first(organization, recipient) { $0.integer(0) } != nil
    }
}
