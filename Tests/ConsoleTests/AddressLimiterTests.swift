import TestSupport
import Testing

@testable import Console

@Suite struct AddressLimiterTests {
    @Test("of one address a few are under way and a few wait, and other addresses do not wait for them")
    func limiter() async throws {
        let limiter = AddressLimiter(maximumConcurrentCount: 2, maximumWaitingCount: 1)
        for _ in 0..<2 { #expect(await limiter.acquire("a")) }
        async let third = limiter.acquire("a")
        #expect(await eventually { limiter.waiting("a") == 1 })
        #expect(await !limiter.acquire("a"), "too many wait")
        #expect(await limiter.acquire("b"))
        limiter.release("a")
        #expect(await third)
        #expect(limiter.waiting("a") == 0)
        for _ in 0..<2 { limiter.release("a") }
        for _ in 0..<2 { #expect(await limiter.acquire("a"), "all have ended") }
    }
}
