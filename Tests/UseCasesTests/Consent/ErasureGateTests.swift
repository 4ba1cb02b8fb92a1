import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Erasures and a backup that is made between them.
@Suite struct ErasureGateTests {
    private let gate = ErasureGate()

    @Test("an erasure that is under way is waited for, and new ones wait until the backup is made")
    func waits() async throws {
        let events = Mutex<[String]>([])
        await gate.begin()
        async let held = gate.hold(for: .seconds(600))
        async let other: Void = {
            // The backup holds erasures back once it has been asked for.
            #expect(await eventually { await gate.isHolding })
            await gate.begin()
            events.withLock { $0.append("erased") }
            await gate.end()
        }()
        #expect(await eventually { await gate.isHolding })
        events.withLock { $0.append("first erasure ends") }
        await gate.end()
        let number = await held
        events.withLock { $0.append("backup") }
        await gate.release(number)
        await other
        #expect(events.withLock { $0 } == ["first erasure ends", "backup", "erased"])
    }

    @Test("a backup that takes too long delays no erasure, and its late end does not release those of another backup")
    func longest() async throws {
        let first = await gate.hold(for: .milliseconds(20))
        await gate.begin()
        await gate.end()
        let second = await gate.hold(for: .seconds(600))
        await gate.release(first)
        #expect(await gate.isHolding)
        await gate.release(second)
        #expect(await !gate.isHolding)
    }
}
