import Consent
import Identifiers
import Interactions
import Testing

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
            await expectFailure { _ = try await fixture.storage.consents.erase(.bo, in: fixture.ports.acme) }
            #expect(fixture.observer.take().isEmpty)
            #expect(fixture.storage.spool.status == .working)

            let reopened = try fixture.reopened()
            let history = try await reopened.storage.consents.history(of: .ana, in: fixture.ports.acme)
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
            _ = try await fixture.storage.consents.erase(.bo, in: fixture.ports.acme)
            let disk = try BrokenDisk(.full, path: fixture.folder.path(of: "consentlink.db-wal"))
            await #expect(throws: StorageError.full) { try await fixture.ports.record(.withdrawn, for: .ana) }
            #expect(fixture.storage.status == .full)
            disk.repair()
            let refused = try await fixture.ports.record(.refused, for: .ana)
            #expect(fixture.storage.status == .working)
            #expect(try await fixture.ports.standing(of: .ana) == .inForce(refused.inForce))
        }
    }

    @Test("in a batch of records that does not fit the disk not one is stored")
    func allOrNothing() async throws {
        try await withSQLite { fixture in
            _ = try await fixture.storage.consents.erase(.bo, in: fixture.ports.acme)
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
                try await fixture.storage.consents.append(records, in: fixture.ports.acme, at: .noon)
            }
            disk.repair()
            let answer = try await fixture.storage.consents.standings(
                of: records.map(\.recipient),
                for: .tracking,
                in: fixture.ports.acme,
                at: .noon
            )
            #expect(answer.standings.allSatisfy { $0 == .nothing })
        }
    }

    @Test("after an I/O error the spool takes no click, and what it took is there after a restart")
    func spool() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            let click = Occurrence.click(message, reference)
            _ = try fixture.storage.spool.append([click])
            let disk = try BrokenDisk(.input, path: fixture.folder.path(of: "spool.db-wal"))
            #expect(throws: StorageError.self) { try fixture.storage.spool.append([click, click]) }
            disk.repair()
            #expect(throws: StorageError.self) { try fixture.storage.spool.append([click, click]) }
            guard case .failed = fixture.storage.spool.status else { return #expect(Bool(false)) }
            #expect(fixture.storage.status == .working)

            let reopened = try fixture.reopened()
            #expect(try reopened.storage.spool.read(after: .start, limit: 9).occurrences.map(\.occurrence) == [click])
            _ = try reopened.storage.spool.append([click])
            try reopened.storage.close()
        }
    }

    private func expectFailure(_ body: () async throws -> Void) async {
        let error = await #expect(throws: StorageError.self) { try await body() }
        #expect(error?.isFatal == true)
    }
}
