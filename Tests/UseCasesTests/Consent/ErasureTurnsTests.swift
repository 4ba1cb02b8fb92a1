import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Erasures and a backup that is made between them.
@Suite struct ErasureTurnsTests {
    private let turns = ErasureTurns()

    @Test("an erasure that is under way is waited for, and new ones wait until the backup is made")
    func waits() async throws {
        let events = Mutex<[String]>([])
        await turns.begin()
        async let held = turns.hold(for: .seconds(600))
        async let other: Void = {
            // The backup holds erasures back once it has been asked for.
            #expect(await eventually { await turns.isHolding })
            await turns.begin()
            events.withLock { $0.append("erased") }
            await turns.end()
        }()
        #expect(await eventually { await turns.isHolding })
        events.withLock { $0.append("first erasure ends") }
        await turns.end()
        let number = await held
        events.withLock { $0.append("backup") }
        await turns.release(number)
        await other
        #expect(events.withLock { $0 } == ["first erasure ends", "backup", "erased"])
    }

    @Test("a backup that takes too long delays no erasure, and its late end does not release those of another backup")
    func longest() async throws {
        let first = await turns.hold(for: .milliseconds(20))
        await turns.begin()
        await turns.end()
        let second = await turns.hold(for: .seconds(600))
        await turns.release(first)
        #expect(await turns.isHolding)
        await turns.release(second)
        #expect(await !turns.isHolding)
    }
}
