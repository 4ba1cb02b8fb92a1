package import Identifiers
package import Organizations
import SQL

/// A storage that is open: its stores, and what a service asks of it besides.
package protocol OpenStorage: StorageInspection, StorageMaintenance {
    var stores: SQLStores { get }

    /// Prepares for rows of the logs from `first` through `last`, before they are copied into it.
    func makeRoom(from first: Timestamp, through last: Timestamp) async throws

    /// Many rows were written that the engine's planner has not seen yet.
    func didFill() async throws

    /// How large the database is on its server, in bytes, as it was some minutes ago at most; `nil` where it is in files
    /// of the data folder. Asks nothing.
    var bytesOnServer: Int64? { get }

    /// What it shares with other nodes; `nil` for the storage of one process.
    var shared: (any SharedStorage)? { get }

    /// The service ends within seconds: what cannot be done by then fails.
    func endSoon()

    /// Refuses every write until a restart.
    /// - Parameter reason: names no path, statement or value.
    func refuseWrites(because reason: String)

    /// Ends its connections, which nothing may use any more. Blocks the thread.
    func close() throws
}

extension OpenStorage {
    package var shared: (any SharedStorage)? { nil }

    package func endSoon() {}

    package func makeRoom(from first: Timestamp, through last: Timestamp) async throws {}

    package func didFill() async throws {}

    package func latestTime() async throws -> Timestamp { try await stores.database.read(LatestTime.read) }

    package func lastInteraction() async throws -> InteractionID? {
        try await stores.database.read { db in try WriteContext.greatestNumber(in: "interactions", db) }
            .map(InteractionID.init)
    }

    package func organizationNames() async throws -> Set<String> {
        try await stores.database.read { db in
            Set(try db.statement("SELECT id FROM organizations").all { $0.text(0) })
        }
    }
}
