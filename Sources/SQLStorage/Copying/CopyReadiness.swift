package import SQL

/// Whether a storage can be copied as it is.
package enum CopyReadiness {
    /// What a copy leaves out, and the tables that they count.
    private static let fillings: [(progress: String, counted: [String])] = [
        ("consent_filling", ["consents"]), ("evidence_word_filling", ["consents"]),
        ("report_filling", ["decisions", "messages"]),
    ]

    /// Whether all rows are counted that are older than the tables of counts. A start of the service counts them; a copy
    /// has no note of those that are missing.
    package static func isFilled(_ db: any SQLConnection) throws -> Bool {
        // Only the embedded engine has reports of rows that are older than their tables.
        let there = db.dialect.engine == .sqlite ? fillings : fillings.filter { $0.progress != "report_filling" }
        for filling in there where try !isEmpty(filling.progress, db) {
            guard try filling.counted.allSatisfy({ try isEmpty($0, db) }) else { return false }
        }
        return true
    }

    private static func isEmpty(_ table: String, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM \(table) LIMIT 1").first { _ in true } == nil
    }
}
