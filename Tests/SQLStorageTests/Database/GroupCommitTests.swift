import Identifiers
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage

/// What holds on every engine. `SQLiteStorageTests` has what holds on real files.
@Suite struct GroupCommitTests {
    private struct Refused: Error, Equatable {}

    private let engine = EngineInMemory()

    @Test("memory that takes part has what the rows have after each commit, whatever fails beside it")
    func participant() async throws {
        let committed = Notes<Int64>()
        let outcomes = try await write(1...60, committed)
        #expect(outcomes.filter { $0 }.count == 40)
        #expect(engine.numbers.count == 40)
        #expect(committed.all == engine.numbers)
    }

    @Test(
        "a transaction that is run again after a lost connection has its effect once, in memory too", arguments: 1...3)
    func runAgain(_ times: Int) async throws {
        engine.lose(times)
        let (committed, told) = (Notes<Int64>(), Notes<Int64>())
        let outcomes = try await write(1...10, committed, told: told)
        #expect(outcomes == (1...10).map { $0 % 3 != 0 })
        #expect(engine.numbers == [1, 2, 4, 5, 7, 8, 10])
        #expect(committed.all == engine.numbers)
        #expect(told.all == engine.numbers)
        #expect(engine.answers == 1)
    }

    @Test("a commit that fails is an error of all its writes, informs no observer and leaves nothing in memory")
    func failed() async throws {
        engine.fail()
        let (committed, told) = (Notes<Int64>(), Notes<Int64>())
        let outcomes = try await write(1...10, committed, told: told)
        #expect(outcomes.allSatisfy { !$0 })
        #expect(engine.numbers.isEmpty && committed.all.isEmpty && told.all.isEmpty)
        #expect(engine.answers == 1)
    }

    @Test("a write whose error is found after it has returned is answered with it, and the others are stored")
    func foundLater() async throws {
        engine.findLater { $0.isMultiple(of: 4) ? Refused() : nil }
        let (committed, told) = (Notes<Int64>(), Notes<Int64>())
        let outcomes = try await write(1...10, committed, told: told)
        #expect(outcomes == (1...10).map { $0 % 3 != 0 && $0 % 4 != 0 })
        #expect(engine.numbers == [1, 2, 5, 7, 10])
        #expect(committed.all == engine.numbers && told.all == engine.numbers)
    }

    @Test("a write that wants to be alone shares its transaction with no other")
    func alone() async throws {
        let committed = Notes<Int64>()
        _ = try await write(1...9, committed, isAlone: { $0 == 5 })
        #expect(engine.numbers == [1, 2, 4, 5, 7, 8])
        #expect(committed.all == engine.numbers)
        #expect(engine.answers == 3)
    }

    /// Writes numbers that all wait for the first commit. Every third is refused after it was written.
    /// - Returns: which of them were stored.
    private func write(
        _ numbers: ClosedRange<Int64>, _ committed: Notes<Int64>, told: Notes<Int64> = Notes(),
        isAlone: (Int64) -> Bool = { _ in false }
    ) async throws -> [Bool] {
        let rules = RuleLogInMemory { change in
            guard let number = number(of: change) else { return }
            #expect(committed.all.contains(number))
            told.append(number)
        }
        let commits = try GroupCommit(engine, participant: MemoryOfRows(committed), rules: rules, clock: { .noon })
        var outcomes: [Task<Bool, Never>] = []
        for number in numbers {
            let (submitted, told) = AsyncStream.makeStream(of: Void.self)
            let isAlone = isAlone(number)
            outcomes.append(
                Task { [engine] in
                    do {
                        _ = try await withCheckedThrowingContinuation { continuation in
                            commits.submit(
                                PendingWrite(
                                    isAlone: isAlone, changesNothing: false,
                                    body: { writing in
                                        engine.append(number)
                                        writing.taking(MemoryOfRows.self)?.add(number)
                                        writing.addChange(.privacyControl(isHonored: true, try organization(number)))
                                        if number % 3 == 0 { throw Refused() }
                                    }, continuation: continuation))
                            told.finish()
                        }
                        return true
                    } catch {
                        return false
                    }
                })
            for await _ in submitted {}
        }
        engine.run()
        var stored: [Bool] = []
        for outcome in outcomes { stored.append(await outcome.value) }
        return stored
    }

    private func organization(_ number: Int64) throws -> OrganizationID { try OrganizationID("number-\(number)") }

    private func number(of change: RuleChange) -> Int64? {
        guard case .privacyControl(_, let organization) = change else { return nil }
        return Int64(organization.description.dropFirst("number-".count))
    }
}
