package import Identifiers
import SQL
package import StoragePorts

/// An open storage: its stores, and the calls about it as a whole that a service needs.
package protocol OpenStorage: StorageInspection, StorageMaintenance {
    var stores: SQLStores { get }

    /// Prepares for rows of the logs from `first` through `last`, before they are copied into it.
    func makeRoom(from first: Timestamp, through last: Timestamp) async throws

    /// Asks its server for the time. The storage reports the answer in the same way as after each poll. Returns at once
    /// for a storage in files.
    func askTime() async throws

    /// Tells the engine that many rows were written that its query planner has not seen yet.
    func didFill() async throws

    /// The size of the database on its server in bytes, at most some minutes old; `nil` if the database is in files of
    /// the data folder. Sends no query.
    var bytesOnServer: Int64? { get }

    /// The state that it shares with other nodes; `nil` for the storage of one process.
    var shared: (any SharedStorage)? { get }

    /// Tells the storage that the service ends within seconds. An operation that takes longer fails.
    func endSoon()

    /// Whether it was told so: what fails from then on may have failed because of the end alone.
    var isEnding: Bool { get }

    /// Refuses every write until a restart.
    /// - Parameter reason: names no path, statement or value.
    func refuseWrites(because reason: String)

    /// Ends its connections; the caller must not use the storage after that. Blocks the thread.
    func close() throws
}

extension OpenStorage {
    package var shared: (any SharedStorage)? { nil }

    package func endSoon() {}

    package var isEnding: Bool { false }

    package func makeRoom(from first: Timestamp, through last: Timestamp) async throws {}

    package func didFill() async throws {}

    package func askTime() async throws {}

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
