/// A table and the indexes that must have each of its rows.
struct IndexedTable {
    struct Index {
        let name: String
        /// Its columns besides the key of the table, with which each of its entries ends.
        let columns: [String]
        /// A column and what it must be for a row to be in the index; `nil` if every row is in it.
        var condition: String?
    }

    let name: String
    let key: String
    /// Whether each row belongs to an organization; otherwise to all of them.
    var hasOrganization = true
    let indexes: [Index]
    /// Other conditions that the row `t` must fulfil.
    var conditions: [String] = []

    /// Finds a row of each organization that is missing in an index, behind one key and up to another: its key, the
    /// organization.
    var question: String {
        let holds = (indexes.map(isIn) + conditions).joined(separator: "\n    AND ")
        return """
            SELECT min(t.\(key)), \(hasOrganization ? "t.organization" : "NULL") FROM \(name) t NOT INDEXED
            WHERE t.\(key) > ? AND t.\(key) <= ? AND NOT (
                \(holds)
            ) GROUP BY 2 ORDER BY 1
            """
    }

    /// Whether an index has the row `t`, with the same values.
    private func isIn(_ index: Index) -> String {
        let same = (index.columns + [key]).map { "i.\($0) IS t.\($0)" }
        let condition = index.condition.map { " AND i.\($0)" } ?? ""
        let isThere = """
            EXISTS (SELECT 1 FROM \(name) i INDEXED BY \(index.name) WHERE \(same.joined(separator: " AND "))\(condition))
            """
        return index.condition.map { "(NOT t.\($0) OR \(isThere))" } ?? isThere
    }
}

extension IndexedTable {
    static let consents = IndexedTable(
        name: "consents", key: "id",
        indexes: [
            Index(
                name: "consents_in_force",
                columns: [
                    "organization", "recipient", "purpose", "occurred_at", "ends_tracking", "state", "valid_until",
                ]),
            Index(
                name: "consents_not_given", columns: ["organization", "recipient", "purpose"],
                condition: "state <> 1"),
        ])

    static let decisions = IndexedTable(
        name: "decisions", key: "id",
        indexes: [
            Index(name: "decisions_by_recipient", columns: ["volume", "recipient"]),
            Index(name: "decisions_by_organization", columns: ["organization", "reason"]),
            Index(name: "decisions_by_message", columns: ["message", "reason"]),
        ])

    static let accesses = IndexedTable(
        name: "accesses", key: "id",
        indexes: [
            Index(name: "accesses_by_recipient", columns: ["recipient"]),
            Index(name: "accesses_by_organization", columns: ["organization"]),
            Index(name: "accesses_by_who", columns: ["organization", "who"]),
        ])

    static let recipients = IndexedTable(
        name: "recipients", key: "number",
        indexes: [
            Index(name: "sqlite_autoindex_recipients_1", columns: ["reference"]),
            Index(name: "recipients_erased", columns: ["organization"], condition: "identifier IS NULL"),
        ])

    /// Its names and tags are in tables of their own, which the check of the messages compares with the content.
    static let messages = IndexedTable(
        name: "messages", key: "id",
        indexes: [
            Index(name: "sqlite_autoindex_messages_1", columns: ["organization", "digest"]),
            Index(
                name: "messages_listed",
                columns: ["organization", "purpose", "opens_purpose", "created_at", "expires_at", "is_disabled"]),
            Index(name: "messages_by_expiry", columns: ["expires_at"], condition: "expires_at IS NOT NULL"),
        ],
        conditions: [
            """
            NOT EXISTS (
                SELECT 1 FROM message_names n INDEXED BY sqlite_autoindex_message_names_1
                WHERE n.organization = t.organization AND n.message = t.id AND NOT EXISTS (
                    SELECT 1 FROM message_names i INDEXED BY message_names_by_name
                    WHERE i.organization = n.organization AND i.name = n.name AND i.message = n.message))
            """,
            """
            NOT EXISTS (
                SELECT 1 FROM message_tags n INDEXED BY message_tags_by_message
                WHERE n.message = t.id AND NOT EXISTS (
                    SELECT 1 FROM message_tags i INDEXED BY sqlite_autoindex_message_tags_1
                    WHERE i.organization = n.organization AND i.tag = n.tag AND i.message = n.message))
            """,
        ])

    static let purposes = IndexedTable(
        name: "purposes", key: "number", hasOrganization: false,
        indexes: [Index(name: "sqlite_autoindex_purposes_1", columns: ["name"])])

    static let interactions = IndexedTable(
        name: "interactions", key: "id",
        indexes: [
            Index(name: "interactions_by_recipient", columns: ["volume", "recipient", "position"]),
            Index(name: "interactions_by_organization", columns: ["organization", "kind", "position"]),
            Index(name: "interactions_by_message", columns: ["message", "kind", "position"]),
            Index(
                name: "interactions_of_person", columns: ["message", "recipient", "position"],
                condition: "recipient IS NOT NULL"),
        ])

    static let consentRequests = IndexedTable(
        name: "consent_requests", key: "id",
        indexes: [
            Index(name: "consent_requests_by_recipient", columns: ["recipient"]),
            Index(name: "consent_requests_by_organization", columns: ["organization"]),
        ])
}
