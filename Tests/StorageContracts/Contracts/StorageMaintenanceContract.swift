import Consent
import Identifiers
import Messages
import StoragePorts
import TestSupport
import Testing

/// What every storage promises whose disk may be full.
package enum StorageMaintenanceContract {
    package static let promises: [Promise] = [
        Promise("a storage that writes says so, and a retry leaves it as it is") { storage in
            try await storage.record(.given, for: .ana)
            #expect(storage.upkeep.status == .working)
            await storage.upkeep.retryIfFull()
            #expect(storage.upkeep.status == .working)
            #expect(try await storage.consents.history(of: .ana, in: storage.acme).count == 1)
        },
        Promise("a full disk refuses what would be written and says so; what was there is read") { storage in
            try await storage.record(.given, for: .ana)
            _ = storage.observer.take()
            let makeRoom = try await storage.fillDisk()
            await expectShortage { try await storage.record(.withdrawn, for: .ana) }
            #expect(storage.upkeep.status == .full)
            #expect(try await storage.consents.history(of: .ana, in: storage.acme).map(\.state) == [.given])
            #expect(storage.observer.take().isEmpty)
            makeRoom()
        },
        Promise("a retry finds out that there is room again, and what was refused is not there then") { storage in
            let makeRoom = try await storage.fillDisk()
            await expectShortage { try await storage.record(.given, for: .ana) }
            makeRoom()
            #expect(storage.upkeep.status == .full, "that of the last write")
            await storage.upkeep.retryIfFull()
            #expect(storage.upkeep.status == .working)
            #expect(try await storage.consents.history(of: .ana, in: storage.acme).isEmpty)
            try await storage.record(.refused, for: .ana)
            #expect(try await storage.consents.history(of: .ana, in: storage.acme).map(\.state) == [.refused])
        },
        Promise("what writes nothing does not say that there is room") { storage in
            let makeRoom = try await storage.fillDisk()
            await expectShortage { try await storage.record(.given, for: .ana) }
            let unknown = try #require(MessageID(rawValue: 1))
            #expect(try await storage.messages.setDisabled(true, message: unknown, in: storage.acme) == nil)
            let token = try #require(try await storage.leases.acquire(.retention, at: .noon, until: .noon + 1000))
            try await storage.leases.renew(token, until: .noon + 2000)
            #expect(storage.upkeep.status == .full)
            makeRoom()
        },
    ]

    /// A failure of the store that may not come again without a restart.
    private static func expectShortage(_ write: () async throws -> some Any) async {
        let error = await #expect(throws: (any Error).self) { _ = try await write() }
        #expect((error as? any StoreFailure)?.isTransient == true)
    }
}
