import Consent
import Identifiers
import Organizations
import SQL
import SQLiteFiles
import Synchronization
import TestSupport
import Testing

@testable import HTTPAPI

@Suite("What readers are told of organizations")
struct SenderDirectoryTests {
    /// Counts what is asked, and answers when it is let.
    private final class Store: OrganizationDirectory {
        private struct State {
            var asked = 0
            var name = "Acme"
            var isOut = false
            var isHeld = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var asked: Int { state.withLock { $0.asked } }
        var waitingCount: Int { state.withLock { $0.waiting.count } }

        func set(name: String = "Acme", isOut: Bool = false, isHeld: Bool = false) {
            let waiting = state.withLock { state in
                (state.name, state.isOut, state.isHeld) = (name, isOut, isHeld)
                defer { if !isHeld { state.waiting = [] } }
                return isHeld ? [] : state.waiting
            }
            for each in waiting { each.resume() }
        }

        func organization(_ id: OrganizationID) async throws -> Organization? {
            await withCheckedContinuation { continuation in
                let isHeld = state.withLock { state in
                    state.asked += 1
                    if state.isHeld { state.waiting.append(continuation) }
                    return state.isHeld
                }
                if !isHeld { continuation.resume() }
            }
            let (name, isOut) = state.withLock { ($0.name, $0.isOut) }
            if isOut { throw StorageError.busy }
            guard !id.description.hasPrefix("nobody") else { return nil }
            return Organization(id: id, name: name, enforcement: .restrictive)
        }

        func all() async throws -> [Organization] { [] }
        func quotas() async throws -> [OrganizationID: Quotas] { [:] }
        func enforcementHistory(of _: OrganizationID) async throws -> EnforcementHistory? { nil }
    }

    private final class Clock: Sendable {
        private let state = Mutex(Timestamp.noon)
        var now: Timestamp { state.withLock { $0 } }
        func advance(_ milliseconds: Int64) { state.withLock { $0 = $0 + milliseconds } }
    }

    private let store = Store()
    private let clock = Clock()
    private let directory: SenderDirectory
    private let acme: OrganizationID

    init() throws {
        directory = SenderDirectory(store, now: { [clock] in clock.now })
        acme = try OrganizationID("acme")
    }

    private func named(_ name: String) -> SenderDirectory.Answer { .sender(.init(name: name, consentPage: nil)) }

    @Test("an organization is read once a second, however often it is asked for; so is one that there is not")
    func fresh() async throws {
        for id in [acme, try OrganizationID("nobody")] {
            let before = store.asked
            for _ in 1...5 { _ = try await directory.find(id) }
            clock.advance(999)
            _ = try await directory.find(id)
            #expect(store.asked == before + 1)
            clock.advance(1)
            _ = try await directory.find(id)
            #expect(store.asked == before + 2)
        }
        store.set(name: "New")
        clock.advance(1000)
        #expect(try await directory.find(acme) == named("New"))
    }

    @Test("while the store is out, what was read before is told, and nothing is made up")
    func outage() async throws {
        #expect(try await directory.find(acme) == named("Acme"))
        store.set(isOut: true)
        clock.advance(60_000)
        #expect(try await directory.find(acme) == named("Acme"))
        await #expect(throws: StorageError.busy) { try await directory.find(try OrganizationID("other")) }
    }

    @Test("no more are read at once than that; the next is told to come again, or what was read before")
    func bounded() async throws {
        #expect(try await directory.find(acme) == named("Acme"))
        clock.advance(1000)
        store.set(isHeld: true)
        let limit = SenderDirectory.maximumReadsAtOnce
        try await withThrowingTaskGroup { group in
            for number in 0..<limit {
                let id = try OrganizationID("nobody\(number)")
                group.addTask { [directory] in try await directory.find(id) }
            }
            #expect(await eventually { store.waitingCount >= limit })
            #expect(try await directory.find(try OrganizationID("nobody-else")) == .busy)
            #expect(try await directory.find(acme) == named("Acme"))
            store.set()
            for try await answer in group { #expect(answer == .unknown) }
        }
        #expect(try await directory.find(try OrganizationID("nobody-else")) == .unknown)
    }

    @Test("any number of unknown names takes limited memory and does not push out known ones for long")
    func capacity() async throws {
        for number in 0..<(SenderDirectory.capacity * 2) {
            _ = try await directory.find(try OrganizationID("nobody\(number)"))
        }
        #expect(await directory.count == SenderDirectory.unknownCapacity)
        #expect(try await directory.find(acme) == named("Acme"))
        for number in 0..<(SenderDirectory.capacity * 2) {
            _ = try await directory.find(try OrganizationID("acme\(number)"))
        }
        #expect(await directory.count == SenderDirectory.capacity + SenderDirectory.unknownCapacity)
    }

    @Test("names that there are not push out none that there is: each is told of while the store is out")
    func guessed() async throws {
        let senders = try (0..<100).map { try OrganizationID("acme\($0)") }
        for id in senders { _ = try await directory.find(id) }
        for number in 0..<10_000 { _ = try await directory.find(try OrganizationID("nobody\(number)")) }
        store.set(isOut: true)
        clock.advance(60_000)
        for id in senders { #expect(try await directory.find(id) == named("Acme")) }
    }

    @Test("readers of one organization wait for one read, however many they are")
    func merged() async throws {
        store.set(isHeld: true)
        let readers = SenderDirectory.maximumReadsAtOnce * 4
        try await withThrowingTaskGroup { group in
            for _ in 0..<readers { group.addTask { [directory, acme] in try await directory.find(acme) } }
            #expect(await eventually { store.waitingCount > 0 })
            for _ in 0..<1000 { await Task.yield() }
            store.set()
            for try await answer in group { #expect(answer == named("Acme")) }
        }
        #expect(store.asked == 1)
    }

    @Test("a read that failed is tried again by the next who asks")
    func failed() async throws {
        store.set(isOut: true)
        for _ in 0..<(SenderDirectory.maximumReadsAtOnce * 2) {
            await #expect(throws: StorageError.busy) { try await directory.find(acme) }
        }
        store.set()
        #expect(try await directory.find(acme) == named("Acme"))
    }
}
