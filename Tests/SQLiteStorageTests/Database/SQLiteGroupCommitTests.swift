import Foundation
import GRDB
import SQL
import SQLiteFiles
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct SQLiteGroupCommitTests {
    private struct Refused: Error, Equatable {
        let number: Int
    }

    @Test("writes that wait for a commit are committed together, each as if it were alone")
    func groups() async throws {
        try await withDatabase { database in
            let hasBegun = Note(false)
            let goOn = DispatchSemaphore(value: 0)
            async let first: Void = database.write { writing in
                hasBegun.value = true
                goOn.wait()
                try insert(0, writing)
            }
            #expect(await eventually { hasBegun.value })

            // These wait while the first is under way. Every third refuses after it has written.
            let submitted = Notes<Int>()
            let waiting = (1...30).map { number in
                Task {
                    try await withCheckedThrowingContinuation { continuation in
                        database.commits.submit(
                            PendingWrite(
                                isAlone: false, changesNothing: false,
                                body: { writing in
                                    try insert(number, writing)
                                    if number % 3 == 0 { throw Refused(number: number) }
                                    return try database.readNow(count)
                                }, continuation: continuation))
                        submitted.append(number)
                    }.value
                }
            }
            #expect(await eventually { submitted.all.count == waiting.count })
            goOn.signal()
            try await first

            for (number, task) in zip(1..., waiting) {
                switch await task.result {
                case .success(let committedBefore):
                    #expect(number % 3 != 0)
                    // Nobody outside saw any of them but the first before all were there.
                    #expect(committedBefore == 1)
                case .failure(let error): #expect(error as? Refused == Refused(number: number))
                }
            }
            #expect(try database.readNow(count) == 21)
        }
    }

    @Test("a write that fails leaves nothing")
    func failing() async throws {
        try await withDatabase { database in
            await #expect(throws: Refused(number: 1)) {
                try await database.write { writing in
                    try insert(1, writing)
                    throw Refused(number: 1)
                }
            }
            #expect(try database.readNow(count) == 0)
            #expect(database.status == .working)
            try await database.write { try insert(2, $0) }
            #expect(try database.readNow(count) == 1)
        }
    }

    @Test("what SQLite refuses is told without statement or value")
    func refused() async throws {
        try await withDatabase { database in
            let error = await #expect(throws: StorageError.self) {
                try await database.write { writing in
                    try writing.db.execute(sql: "INSERT INTO purposes VALUES (1, 'secret-value')")
                    try writing.db.execute(sql: "INSERT INTO purposes VALUES (1, 'secret-value')")
                }
            }
            #expect(error == .refused(EngineFault(sqlite: 1555)))
            #expect(error?.description == "the storage refused: constraint failed (1555)")
        }
    }

    @Test("memory that takes part has what the rows have after each commit, whatever fails beside it")
    func participant() async throws {
        let committed = Notes<Int64>()
        try await withDatabase(participant: MemoryOfRows(committed)) { database in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...60 {
                    group.addTask {
                        let write = Task {
                            try await database.write(isAlone: number % 5 == 0) { writing in
                                try insert(number, writing)
                                writing.taking(MemoryOfRows.self)?.add(Int64(number))
                                if number % 3 == 0 { throw Refused(number: number) }
                            }
                        }
                        _ = await write.result
                    }
                }
                try await group.waitForAll()
            }
            let rows = try database.readNow { db in
                try db.statement("SELECT name FROM purposes ORDER BY number").all { $0.text(0) }
            }
            #expect(committed.all.map { "purpose-\($0)" } == rows)
            #expect(rows.count == 40)
        }
    }

    private func withDatabase(
        participant: sending any TransactionParticipant = LedgerWriting(CommittedLedgers(), host: "links.example"),
        _ body: (SQLiteDatabase) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let database = try SQLiteDatabase(
            path: folder.path(of: "file.db"), participant: participant,
            rules: RuleChangeBuffer(observer: RecordingObserver()), clock: { .noon })
        try await body(database)
        try? database.close()
    }
}

private func insert(_ number: Int, _ writing: WriteContext) throws {
    try writing.db.statement("INSERT INTO purposes (name) VALUES (?)").run("purpose-\(number)")
}

private func count(_ db: any SQLConnection) throws -> Int64 {
    try db.statement("SELECT count(*) FROM purposes").first { $0.integer(0) } ?? 0
}
