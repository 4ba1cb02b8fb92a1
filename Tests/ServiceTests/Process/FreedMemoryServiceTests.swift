import Foundation
import TestSupport
import Testing

@testable import Service

/// When freed memory goes back to the system.
@Suite struct FreedMemoryServiceTests {
    private let used = Note(Duration.seconds(5))
    private let looks = Note(0)
    private let turns = Note(0)

    /// - Parameter length: how long a turn takes.
    private func run(length: Duration = .zero, _ body: () async throws -> Void) async rethrows {
        let service = FreedMemoryService(
            used: { [used, looks] in
                looks.value += 1
                return used.value
            },
            giveBack: { [turns] in
                Thread.sleep(forTimeInterval: length / .seconds(1))
                turns.value += 1
            }, interval: .milliseconds(1))
        let running = Task { await service.run() }
        #expect(await eventually { looks.value > 0 })
        try await body()
        running.cancel()
        await running.value
    }

    /// Whether no turn comes while it looks a few times.
    private func rests() async -> Bool {
        let (seen, before) = (looks.value, turns.value)
        return await eventually { looks.value > seen + 3 } && turns.value == before
    }

    @Test("memory goes back after work, once, and an idle process is left alone")
    func work() async {
        await run {
            #expect(await rests())
            used.value += .milliseconds(99)
            #expect(await rests())
            used.value += .milliseconds(1)
            #expect(await eventually { turns.value == 1 })
            #expect(await rests())
            used.value += .seconds(1)
            #expect(await eventually { turns.value == 2 })
        }
    }

    @Test("after a long turn it waits a thousand times as long, whatever the process does")
    func share() async {
        await run(length: .milliseconds(100)) {
            used.value += .seconds(1)
            #expect(await eventually { turns.value == 1 })
            used.value += .seconds(1)
            #expect(await rests())
        }
    }

    @Test("pages in the middle of a heap go back, which they do not otherwise")
    func pages() throws {
        // Of every hundred pieces one stays, so no end of the heap becomes free.
        var pieces = (0..<100_000).map { _ in [UInt8](repeating: 1, count: 1000) }
        pieces = stride(from: 0, to: pieces.count, by: 100).map { pieces[$0] }
        let before = try #require(ProcessStatus()).residentBytes
        FreedMemoryService().giveBack()
        // 95 MB were freed; other tests may take some meanwhile.
        #expect(try before - #require(ProcessStatus()).residentBytes > 40_000_000)
        #expect(pieces.count == 1000)
    }
}
