import Identifiers
import Interactions
import TestSupport
import Testing

@testable import Redirect

/// What was drained leaves traces in the spool's files, which are erased on request.
@Suite struct DrainResidualsTests {
    @Test("an erasure of residuals waits until what was spooled before it is drained, and is the last thing done")
    func eraseResiduals() async throws {
        let bench = try DrainTests.Bench()
        try await bench.spool(.click(by: 1))
        try await bench.spool(.click(by: 2))
        let isErased = Note(false)
        let drain = bench.drain
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await drain.eraseResiduals()
                isErased.value = true
            }
            try await Task.sleep(for: .milliseconds(30))
            #expect(!isErased.value)
            try await drain.finish(within: .seconds(60))
            try await group.waitForAll()
        }
        #expect(bench.spool.held.isEmpty)
        #expect(bench.spool.events.last == .eraseResiduals)
        #expect(bench.spool.events.contains(.remove(SpoolPosition(rawValue: 2))))
    }

    @Test("an erasure of residuals of a spool that is drained does not wait")
    func eraseAtOnce() async throws {
        let bench = try DrainTests.Bench()
        try await bench.drain.eraseResiduals()
        #expect(bench.spool.events == [.eraseResiduals])
        try await bench.spool(.click(by: 1))
        try await bench.drain.finish(within: .seconds(60))
        try await bench.drain.eraseResiduals()
        #expect(bench.spool.events.last == .eraseResiduals)
        #expect(bench.spool.held.isEmpty)
    }

    @Test("an erasure of residuals waits for what a former process left in the spool")
    func eraseLeftovers() async throws {
        let bench = try DrainTests.Bench(leftovers: [.click(by: 1)])
        let heldAtErasure = Note<Int?>(nil)
        let drain = bench.drain
        let spool = bench.spool
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await drain.eraseResiduals()
                heldAtErasure.value = spool.held.count
            }
            try await Task.sleep(for: .milliseconds(30))
            try await drain.finish(within: .seconds(60))
            try await group.waitForAll()
        }
        #expect(heldAtErasure.value == 0)
    }
}
