package import SQL

/// Whether a storage can be copied as it is.
package enum CopyReadiness {
    /// The tables with the progress of counting, which a copy leaves out, and for each the tables whose rows it counts.
    private static let fillings: [(progress: String, counted: [String])] = [
        ("consent_filling", ["consents"]), ("evidence_word_filling", ["consents"]),
        ("report_filling", ["decisions", "messages"]),
    ]

    /// Whether all rows that are older than the tables of counts are counted. A start of the service counts them. A
    /// copy does not contain which of them are not counted yet.
    package static func isFilled(_ db: any SQLConnection) throws -> Bool {
        // Only the embedded engine can have rows that are older than the tables of reports, and so the table
        // `report_filling`.
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
