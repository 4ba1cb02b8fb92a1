import TestSupport
import Testing

@testable import Console

@Suite struct AddressTurnsTests {
    @Test("of one address a few are under way and a few wait, and other addresses do not wait for them")
    func turns() async throws {
        let turns = AddressTurns(maximumConcurrentCount: 2, maximumWaitingCount: 1)
        for _ in 0..<2 { #expect(await turns.begin("a")) }
        async let third = turns.begin("a")
        #expect(await eventually { turns.waiting("a") == 1 })
        #expect(await !turns.begin("a"), "too many wait")
        #expect(await turns.begin("b"))
        turns.end("a")
        #expect(await third)
        #expect(turns.waiting("a") == 0)
        for _ in 0..<2 { turns.end("a") }
        for _ in 0..<2 { #expect(await turns.begin("a"), "all have ended") }
    }
}
