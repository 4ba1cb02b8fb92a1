import Consent
import Identifiers
import Interactions
import SQL
import SQLiteFiles
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Real faults of a disk, made with real file descriptors.
@Suite struct BrokenDiskTests {
    @Test("after an I/O error nothing is acknowledged until a restart, and what was acknowledged is there then")
    func inputOutputError() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            _ = fixture.observer.take()
            let disk = try BrokenDisk(.input, path: fixture.folder.path(of: "consentlink.db-wal"))
            await expectFailure { try await fixture.ports.record(.withdrawn, for: .ana) }
            #expect(fixture.storage.status != .working)
            disk.repair()
            await expectFailure { try await fixture.ports.record(.refused, for: .ana) }
            await expectFailure { _ = try await fixture.storage.stores.consents.erase(.bo, in: fixture.ports.acme) }
            #expect(fixture.observer.take().isEmpty)

            let reopened = try fixture.reopened()
            let history = try await reopened.storage.stores.consents.history(of: .ana, in: fixture.ports.acme)
            #expect(history.map(\.state) == [.given])
            try await reopened.ports.record(.withdrawn, for: .ana)
            try reopened.storage.close()
        }
    }

    @Test("a full disk refuses and is forgiven as soon as there is room")
    func fullDisk() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            // Empties the log, from which nothing could be read below.
            _ = try await fixture.storage.stores.consents.erase(.bo, in: fixture.ports.acme)
            let disk = try BrokenDisk(.full, path: fixture.folder.path(of: "consentlink.db-wal"))
            await #expect(throws: StorageError.full) { try await fixture.ports.record(.withdrawn, for: .ana) }
            #expect(fixture.storage.status == .full)
            disk.repair()
            let refused = try await fixture.ports.record(.refused, for: .ana)
            #expect(fixture.storage.status == .working)
            #expect(try await fixture.ports.status(of: .ana) == .inForce(refused.inForce))
        }
    }

    @Test("in a batch of records that does not fit the disk not one is stored")
    func allOrNothing() async throws {
        try await withSQLite { fixture in
            _ = try await fixture.storage.stores.consents.erase(.bo, in: fixture.ports.acme)
            let records = try (0..<5000).map { number in
                try NewConsentRecord(
                    recipient: RecipientID("person\(number)"),
                    purpose: .tracking,
                    state: .given,
                    occurredAt: nil,
                    validUntil: nil,
                    evidence: nil,
                    now: .noon
                )
            }
            let disk = try BrokenDisk(.full, path: fixture.folder.path(of: "consentlink.db-wal"))
            await #expect(throws: StorageError.full) {
                try await fixture.storage.stores.consents.append(records, in: fixture.ports.acme, at: .noon)
            }
            disk.repair()
            let answer = try await fixture.storage.stores.consents.statuses(
                of: records.map(\.recipient),
                for: .tracking,
                in: fixture.ports.acme,
                at: .noon
            )
            #expect(answer.statuses.allSatisfy { $0 == .nothing })
        }
    }

    private func expectFailure(_ body: () async throws -> Void) async {
        let error = await #expect(throws: StorageError.self) { try await body() }
        #expect(error?.isFatal == true)
    }
}
