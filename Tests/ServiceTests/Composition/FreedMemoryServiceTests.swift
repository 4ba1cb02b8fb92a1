import Foundation
import TestSupport
import Testing

@testable import Service

/// When freed memory goes back to the system.
@Suite struct FreedMemoryServiceTests {
    @Test("memory goes back after each second with work, and an idle process is left alone")
    func work() async throws {
        let used = Note(Duration.seconds(5))
        let turns = Note(0)
        let looks = Note(0)
        let service = FreedMemoryService(
            used: {
                looks.value += 1
                return used.value
            }, giveBack: { turns.value += 1 }, interval: .milliseconds(1))
        let running = Task { await service.run() }
        #expect(await eventually { looks.value > 3 })
        #expect(turns.value == 0)
        used.value += .milliseconds(19)
        let seen = looks.value
        #expect(await eventually { looks.value > seen + 2 })
        #expect(turns.value == 0)
        used.value += .milliseconds(20)
        #expect(await eventually { turns.value == 1 })
        used.value += .seconds(1)
        #expect(await eventually { turns.value == 2 })
        running.cancel()
        await running.value
    }

    @Test("what this process frees goes back: nothing else gives pages in the middle of a heap back")
    func pages() async throws {
        // Of every hundred pieces one stays, so no end of the heap becomes free.
        var pieces = (0..<100_000).map { _ in [UInt8](repeating: 1, count: 1000) }
        pieces = stride(from: 0, to: pieces.count, by: 100).map { pieces[$0] }
        let before = try residentPages()
        FreedMemoryService().giveBack()
        // 95 MB were freed; other tests may take some meanwhile.
        #expect(try before - residentPages() > 10_000)
        #expect(pieces.count == 1000)
    }

    /// Of 4 KiB.
    private func residentPages() throws -> Int {
        let text = try #require(FileManager.default.contents(atPath: "/proc/self/statm"))
        return try #require(Int(String(decoding: text, as: UTF8.self).split(separator: " ")[1]))
    }
}
