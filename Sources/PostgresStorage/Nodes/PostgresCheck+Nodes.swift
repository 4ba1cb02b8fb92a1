package import Organizations
package import PostgresClient

extension PostgresCheck {
    /// The nodes that share a database; none where it has not the tables of this version.
    /// - Throws: a `StoreFailure` when it cannot be looked at.
    package static func nodes(_ settings: PostgresSettings, patience: Duration = .seconds(60)) async throws -> [Node] {
        try await PostgresSchema.withConnection(settings, patience: patience) { connection in
            try schemaFindings(connection).isEmpty ? NodeRow.all(connection) : []
        }
    }
}
