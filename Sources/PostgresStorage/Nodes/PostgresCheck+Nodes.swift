package import Organizations
package import PostgresClient

extension PostgresCheck {
    /// The nodes that share a database; none if it does not have the tables of this version.
    /// - Throws: a `StoreFailure` if the check fails.
    package static func nodes(_ settings: PostgresSettings, patience: Duration = .seconds(60)) async throws -> [Node] {
        try await PostgresSchema.withConnection(settings, patience: patience) { connection in
            try schemaFindings(connection).isEmpty ? NodeRow.all(connection) : []
        }
    }
}
