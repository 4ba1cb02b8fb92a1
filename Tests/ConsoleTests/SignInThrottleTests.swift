import Identifiers
import TestSupport
import Testing

@testable import Console

@Suite struct SignInThrottleTests {
    private let throttle = SignInThrottle()
    private let address: [SignInThrottle.Subject] = [.address("127.0.0.1")]

    @Test("the first failures are free, then each wait is twice the last, up to the longest")
    func doubles() {
        var waits: [Int64] = []
        var now = Timestamp.noon
        for _ in 0..<14 {
            throttle.recordFailure(address, at: now)
            let wait = throttle.wait(address, at: now)
            waits.append(wait)
            now = now + wait
            #expect(throttle.wait(address, at: now) == 0)
        }
        #expect(waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map { $0 * 1000 })
    }

    @Test("one address and one key say nothing about others; a success and a quarter of an hour forget")
    func apart() {
        for _ in 0..<9 { throttle.recordFailure(address + [.key([1])], at: .noon) }
        #expect(throttle.wait([.address("10.0.0.1"), .key([1])], at: .noon) > 0)
        #expect(throttle.wait([.address("10.0.0.1"), .key([2])], at: .noon) == 0)
        throttle.recordFailure(address, at: .noon + SignInThrottle.memory)
        #expect(throttle.wait(address, at: .noon + SignInThrottle.memory) == 0)
        throttle.recordSuccess([.key([1])])
        #expect(throttle.wait([.key([1])], at: .noon) == 0)
    }

    @Test("a failure that comes too early does not count, and is told how long to wait")
    func early() {
        for _ in 0..<5 { #expect(throttle.fail(address, at: .noon) == 0) }
        for early in [1, 500, 999] as [Int64] {
            #expect(throttle.fail(address, at: .noon + early) == 1_000 - early)
        }
        #expect(throttle.fail(address, at: .noon + 1_000) == 0)
        #expect(throttle.wait(address, at: .noon + 1_000) == 2_000)
    }

    @Test("a clock that goes back extends no wait")
    func back() {
        for _ in 0..<5 { throttle.recordFailure(address, at: .noon) }
        #expect(throttle.wait(address, at: .noon + -86_400_000) <= SignInThrottle.firstWait)
    }
}
