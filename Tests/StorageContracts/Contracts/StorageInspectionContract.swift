import Consent
import Identifiers
import Interactions
import Messages
import Organizations
import StoragePorts
import TestSupport
import Testing

/// What every storage tells a service that starts.
package enum StorageInspectionContract {
    private static let day: Int64 = 86_400_000

    package static let promises: [Promise] = [
        Promise("the latest time is that of what was stored last, whatever it is, also after a restart") { storage in
            #expect(try await storage.upkeep.latestTime() == .noon)
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            let writes: [@Sendable (Timestamp) async throws -> Void] = [
                { try await storage.record(.given, for: .ana, at: $0) },
                { _ = try await storage.messages.save(Message(name: "later"), in: storage.acme, at: $0) },
                { try await storage.decide([(.ana, .consentGiven)], of: message, at: $0) },
                { instant in
                    let change = OrganizationChange(enforcement: .nonRestrictive)
                    _ = try await storage.organizations.change(storage.acme, by: change, at: instant)
                },
                { instant in
                    let key = StorageUnderTest.key(30)
                    _ = try await storage.organizations.addKey(key, to: storage.acme, at: instant)
                },
                // Its id is much older.
                { try await storage.interactions.store([.click(1, message, reference)], at: $0) },
                { instant in
                    let change = OrganizationChange(
                        retention: RetentionChange(interactions: .days(1), decisions: .forever))
                    _ = try await storage.organizations.change(storage.acme, by: change, at: instant)
                    let purge = try await storage.purge(storage.acme, at: instant, limit: 9)
                    #expect(purge.interactions == 1)
                },
            ]
            var instant = Timestamp.noon
            for (number, write) in writes.enumerated() {
                instant = instant + 2 * day
                try await write(instant)
                #expect(try await storage.upkeep.latestTime() == instant, "write \(number)")
            }
            #expect(try await storage.reopen().upkeep.latestTime() == instant)
        },
        Promise("the greatest id of an interaction is known, in whichever order they came") { storage in
            #expect(try await storage.upkeep.lastInteraction() == nil)
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            for number in [5, 9, 7] as [UInt64] {
                try await storage.interactions.store([.click(number, message, reference)], at: .noon)
            }
            #expect(try await storage.upkeep.lastInteraction()?.rawValue == 9)
            #expect(try await storage.reopen().upkeep.lastInteraction()?.rawValue == 9)
        },
        Promise("every organization is named") { storage in
            let names = try await storage.upkeep.organizationNames()
            #expect(names == ["acme", "globex"])
        },
    ]

    /// Of a storage that ConsentLink copies.
    package static let promisesOfCopies = [
        Promise("a storage that is opened again is no copy; one of a backup says so once") { storage in
            #expect(!storage.upkeep.isCopy)
            let reopened = try storage.reopen()
            #expect(!reopened.upkeep.isCopy)
            try await TemporaryFolder.with { folder in
                try await #require(reopened.backup).copy(into: folder.path) {}
                let copy = try reopened.openCopy(folder)
                #expect(copy.upkeep.isCopy)
                #expect(try !copy.reopen().upkeep.isCopy)
            }
        }
    ]
}
