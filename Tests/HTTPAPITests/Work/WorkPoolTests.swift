import Dispatch
import HTTPTypes
import Identifiers
import TestSupport
import Testing

@testable import HTTPAPI

struct WorkPoolTests {
    private static let acme: WorkPool.Owner = try? OrganizationID("acme")
    private static let globex: WorkPool.Owner = try? OrganizationID("globex")

    @Test("the organizations take turns, however much one of them has asked for")
    func turns() async throws {
        let pool = WorkPool(threads: 1)
        let notes = Notes<String>()
        let gate = DispatchSemaphore(value: 0)
        let isBlocked = BackpressureChannel<Bool>(backlog: 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            // The only thread waits until everything else is in the queues.
            group.addTask {
                try await pool.admit(nil).run {
                    isBlocked.finish()
                    Self.wait(for: gate)
                }
            }
            _ = try await isBlocked.take()
            for (owner, name, count) in [(Self.acme, "acme", 6), (Self.globex, "globex", 2)] {
                for number in 1...count {
                    let permit = try pool.admit(owner)
                    group.addTask { try await permit.run { notes.append("\(name) \(number)") } }
                }
                #expect(await eventually { pool.waitingSteps(of: owner) >= count })
            }
            gate.signal()
            try await group.waitForAll()
        }
        let order = notes.all.map { $0.prefix(while: { $0 != " " }) }
        #expect(order == ["acme", "globex", "acme", "globex", "acme", "acme", "acme", "acme"])
    }

    private static func wait(for gate: DispatchSemaphore) { gate.wait() }

    @Test("beyond the bound an organization is refused, and others are not; what ends makes room")
    func bound() throws {
        let pool = WorkPool(threads: 1, requestLimit: 2)
        var permits = try [pool.admit(Self.acme), pool.admit(Self.acme)]
        #expect {
            try pool.admit(Self.acme)
        } throws: { error in
            let problem = error as? Problem
            return problem?.status == .serviceUnavailable && problem?.headers[.retryAfter] != nil
        }
        #expect(throws: Never.self) { try pool.admit(Self.globex) }
        permits.removeLast()
        #expect(throws: Never.self) { try pool.admit(Self.acme) }
    }

    @Test("small requests are not counted, until they turn out to be large")
    func small() throws {
        let pool = WorkPool(threads: 1, requestLimit: 1)
        var small = (0..<100).map { _ in pool.admitSmall(Self.acme) }
        try small[0].enlarge()
        #expect(throws: Never.self) { try small[0].enlarge() }
        #expect(throws: Problem.self) { try small[1].enlarge() }
        #expect(throws: Problem.self) { try pool.admit(Self.acme) }
        small.remove(at: 1)
        #expect(throws: Problem.self) { try pool.admit(Self.acme) }
        small.remove(at: 0)
        #expect(throws: Never.self) { try small[0].enlarge() }
    }

    @Test("work that waits for other work of the pool does not hold a thread")
    func nested() async throws {
        let pool = WorkPool(threads: 1)
        let permit = try pool.admit(Self.acme)
        let sum = try await permit.run {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...50 {
                    group.addTask {
                        try await Task.sleep(for: .milliseconds(number % 3))
                        return number
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(sum == 1275)
    }

    @Test("a request that is cancelled while it waits ends, and gives its place back")
    func cancelled() async throws {
        let pool = WorkPool(threads: 1, requestLimit: 1)
        let permit = try pool.admit(Self.acme)
        let task = Task { [permit] in
            try await permit.run { try await Task.sleep(for: .seconds(3600)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        withExtendedLifetime(permit) { _ = #expect(throws: Problem.self) { try pool.admit(Self.acme) } }
    }
}
