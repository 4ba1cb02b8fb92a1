import Consent
import Dispatch
import Foundation
import Identifiers
import SQL
import SQLiteFiles
import StorageContracts
import Synchronization
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// After an erasure no file holds a byte of the person.
@Suite struct ErasureEpochTests {
    @Test("no file holds the identifier or the evidence of a recipient who was erased, however many lived beside them")
    func leavesNoByte() async throws {
        try await withSQLite { fixture in
            let everybody = Set(0..<2000)
            try await record(everybody.shuffled(), fixture)
            // Histories that grow in between make SQLite move rows about.
            try await record(everybody.filter { $0 % 3 == 0 }, fixture)
            #expect(try traces(in: fixture.folder) == everybody)

            let erased = everybody.shuffled().prefix(800)
            for number in erased.prefix(10) {
                try await erase(number, fixture)
                #expect(try !traces(in: fixture.folder).contains(number))
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in erased.dropFirst(10) { group.addTask { try await erase(number, fixture) } }
                try await group.waitForAll()
            }
            #expect(try traces(in: fixture.folder) == everybody.subtracting(erased))
            for number in everybody.subtracting(erased) {
                let history = try await fixture.storage.stores.consents.history(
                    of: recipient(number),
                    in: fixture.ports.acme
                )
                #expect(history.first?.evidence == evidence(number))
            }
        }
    }

    @Test("nor what ties their entries in the ledger to them, nor what their neighbours leave when they are erased")
    func leavesNoSalt() async throws {
        try await withSQLite { fixture in
            let everybody = Array(0..<600)
            let message = try await fixture.ports.message()
            try await record(everybody, fixture)
            for start in stride(from: 0, to: 600, by: 50) {
                let people = try everybody[start..<(start + 50)].map {
                    (try recipient($0), DecisionReason.consentGiven)
                }
                try await fixture.ports.decide(people + people.shuffled(), of: message)
            }
            let salts = try salts(fixture)
            #expect(Set(salts.values.joined()).count == 600 * 3)
            // First all but a few, so that pages are nearly empty, then some of the few.
            let remaining = Set(everybody.filter { $0 % 25 == 0 })
            let last = remaining.filter { $0 % 50 == 0 }
            for number in everybody where !remaining.contains(number) { try await erase(number, fixture) }
            for number in last { try await erase(number, fixture) }

            #expect(try traces(in: fixture.folder) == remaining.subtracting(last))
            let found = try fixture.folder.saltsFound(among: Set(salts.values.joined()))
            for (number, salts) in salts {
                let here = salts.filter(found.contains).count
                #expect(here == (remaining.subtracting(last).contains(number) ? salts.count : 0), "of person \(number)")
            }
            try await fixture.ports.checkTree()
        }
    }

    /// The salts of everything about each person.
    private func salts(_ fixture: SQLiteFixture) throws -> [Int: [SaltBytes]] {
        let rows = try fixture.storage.database.readNow { db in
            try db.statement(
                """
                SELECT recipient, salt FROM decisions UNION ALL SELECT recipient, salt FROM consents
                """
            ).all { (Int($0.integer(0)) - 1, SaltBytes($0.bytes(1))) }
        }
        return Dictionary(grouping: rows, by: \.0).mapValues { $0.map(\.1) }
    }

    @Test("somebody who reads an old state delays an erasure and does not spoil it")
    func waitsForReaders() async throws {
        try await withSQLite { fixture in
            try await record(Array(0..<20), fixture)
            let (isReading, reading) = AsyncStream.makeStream(of: Void.self)
            async let read: Void = fixture.storage.database.read { db in
                _ = try db.statement("SELECT count(*) FROM recipients").first { $0.integer(0) }
                reading.finish()
                Thread.sleep(forTimeInterval: 1)
            }
            for await _ in isReading {}
            _ = try await fixture.storage.stores.consents.erase(recipient(7), in: fixture.ports.acme)
            try await read
            #expect(try traces(in: fixture.folder) == Set(0..<20).subtracting([7]))
        }
    }

    @Test("somebody who reads an old state for too long does not hide that the person is erased")
    func tellsBeforeReadersEnd() async throws {
        try await withSQLite { fixture in
            try await record(Array(0..<20), fixture)
            let consents = fixture.storage.stores.consents
            let (isReading, reading) = AsyncStream.makeStream(of: Void.self)
            let mayEnd = DispatchSemaphore(value: 0)
            async let read: Void = fixture.storage.database.read { db in
                _ = try db.statement("SELECT count(*) FROM recipients").first { $0.integer(0) }
                reading.finish()
                _ = mayEnd.wait(timeout: .now() + 120)
            }
            for await _ in isReading {}
            let told = Mutex<[ErasureCounts]>([])
            await #expect(throws: StorageError.busy) {
                try await consents.erase(recipient(7), in: fixture.ports.acme) { erasure in
                    told.withLock { $0.append(erasure) }
                }
            }
            #expect(told.withLock { $0 } == [ErasureCounts(consents: 1, decisions: 0, interactions: 0)])
            await #expect(throws: StorageError.busy) { try await consents.clearErased() }
            mayEnd.signal()
            try await read
            #expect(try traces(in: fixture.folder).contains(7))
            try await consents.clearErased()
            #expect(try traces(in: fixture.folder) == Set(0..<20).subtracting([7]))
            _ = try await consents.erase(recipient(7), in: fixture.ports.acme)
        }
    }

    /// Of different lengths, for rows that fit where others were are not moved.
    private func recipient(_ number: Int) throws -> RecipientID {
        try RecipientID("(person \(number))" + String(repeating: "x", count: number * 7 % 230))
    }

    private func evidence(_ number: Int) -> ConsentEvidence {
        ConsentEvidence(
            source: "https://example.com/(person \(number))",
            actor: String(repeating: "(person \(number)) ", count: number * 7 % 300)
        )
    }

    /// The numbers of all people of whom there is a byte in any file.
    private func traces(in folder: TemporaryFolder) throws -> Set<Int> {
        var numbers: Set<Int> = []
        for file in try folder.files {
            try folder.contents(of: file).forEachOccurrence(of: "(person ") { following in
                let digits = following.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.insert(number) }
            }
        }
        return numbers
    }

    private func erase(_ number: Int, _ fixture: SQLiteFixture) async throws {
        let erasure = try await fixture.storage.stores.consents.erase(recipient(number), in: fixture.ports.acme)
        #expect(erasure.consents >= 1)
    }

    private func record(_ numbers: [Int], _ fixture: SQLiteFixture) async throws {
        let records = try numbers.map { number in
            try NewConsentRecord(
                recipient: recipient(number),
                purpose: .tracking,
                state: .given,
                occurredAt: nil,
                validUntil: nil,
                evidence: evidence(number),
                now: .noon
            )
        }
        for start in stride(from: 0, to: records.count, by: 100) {
            let batch = Array(records[start..<min(start + 100, records.count)])
            _ = try await fixture.storage.stores.consents.append(batch, in: fixture.ports.acme, at: .noon)
        }
    }
}
