import PostgresClient
import PostgresStorage
import StoragePorts

/// Tasks on a database on a server: `consentlink database`. A service may be using it.
package struct DatabaseTask: Sendable {
    private let settings: PostgresSettings

    /// - Throws: ``SettingError`` if the settings name no server.
    package init(_ settings: ServiceSettings) throws(SettingError) {
        self.settings = try settings.server
    }

    /// Faults that would lose acknowledged writes, prevent a service from starting, leave nodes without connections,
    /// stop writes, let others add functions, or make the way to the server unsafe or too long; empty if there are none.
    /// - Throws: a `StoreFailure`.
    package func check() async throws -> [DiagnosisEntry] {
        let findings =
            try await PostgresCheck.findings(settings) + PostgresCheck.standbyFindings(settings)
            + PostgresCheck.connectionFindings(settings) + PostgresCheck.numberFindings(settings)
            + PostgresCheck.rightFindings(settings) + PostgresCheck.networkFindings(settings)
        return findings.map { DiagnosisEntry("database", $0.description, remedy: $0.remedy) }
    }

    /// Whether Patroni manages the server.
    /// - Throws: a `StoreFailure`.
    package func isManagedByPatroni() async throws -> Bool { try await PostgresCheck.isManagedByPatroni(settings) }

    /// Whether commits wait for a standby.
    package var isQuorum: Bool { settings.durability == .quorum }

    /// Makes the tables, or upgrades those of an earlier version.
    /// - Returns: the version before, 0 for an empty database, and the present version.
    /// - Throws: a `StoreFailure`.
    package func upgrade() async throws -> (from: Int, to: Int) {
        let outcome = try await PostgresSchema.migrate(settings)
        return (outcome.from, outcome.to)
    }
}

extension DatabaseTask {
    /// The doctor's entries about a database on a server; empty for an embedded store.
    package static func diagnosis(_ settings: ServiceSettings) async -> [DiagnosisEntry] {
        guard let task = try? DatabaseTask(settings) else { return [] }
        do {
            let entries = try await task.check()
            guard entries.isEmpty else { return entries }
            return [DiagnosisEntry("database", "it keeps acknowledged writes, and has its tables")]
                + NodesDiagnosis(nodes: try await PostgresCheck.nodes(task.settings)).entries
        } catch {
            return [
                DiagnosisEntry(
                    "database", (error as? any StoreFailure)?.description ?? "it cannot be asked",
                    remedy: "See whether the server runs, and whether storage names the right host, role and database.")
            ]
        }
    }
}

extension ServiceSettings {
    /// The database, for a command that needs one on a server.
    var server: PostgresSettings {
        get throws(SettingError) {
            guard case .postgres(let database) = storage else {
                throw SettingError(
                    name: "storage", expected: "must be the URL of a database: postgres://user@host/name")
            }
            return database
        }
    }
}
