package import Identifiers
package import Organizations
import SQL

/// A storage that is open: its stores, and what a service asks of it besides.
package protocol OpenStorage: StorageInspection, StorageMaintenance {
    var stores: SQLStores { get }

    /// Ends its connections, which nothing may use any more. Blocks the thread.
    func close() throws
}

extension OpenStorage {
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
