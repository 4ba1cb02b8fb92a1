import Consent
import Identifiers
import SQL

/// Whether marks of erased people follow from what was recorded and decided.
///
/// An erased person keeps the mark until a new grant that is in force when it is recorded. Their row in `recipients` is
/// made anew by the first record about them, so everything about it came after the erasure.
struct ErasureMarks {
    let organization: Int64
    let db: any SQLConnection

    /// Whether a recipient's row may belong to a person who is marked as erased: there is a record about it and none that
    /// ends an erasure, and nothing was decided about it that is only decided about people who were not erased.
    func mayBeMarked(_ recipient: Int64) throws -> Bool {
        guard try has(Self.records, recipient),
            try !has(Self.grants + " AND (valid_until IS NULL OR valid_until > recorded_at)", recipient),
            try !has("SELECT 1 FROM tracked_unasked WHERE organization = ? AND recipient = ?", recipient)
        else { return false }
        // Marked people are few, and volumes may be many.
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

    /// Whether there is a grant about a recipient's row. One that had ended when it was recorded counts, too: earlier
    /// versions took the mark away for it.
    func isGranted(_ recipient: Int64) throws -> Bool { try has(Self.grants, recipient) }

    private static let records = "SELECT 1 FROM consents WHERE organization = ? AND recipient = ?"
    private static let grants = "\(records) AND state = \(ConsentState.given.code)"

    private func has(_ query: String, _ recipient: Int64) throws -> Bool {
        try db.statement("\(query) LIMIT 1").first(organization, recipient) { $0.integer(0) } != nil
    }
}
