import Foundation
import Testing

@testable import ConsentLinkClient

@Suite struct RetryPolicyTests {
    @Test("the pause doubles, half of it by chance, up to the longest")
    func doubling() {
        let policy = RetryPolicy(attempts: 10, maximumPause: .seconds(1))
        func pauses(_ chance: Double) -> [Duration?] {
            (1...5).map { policy.pause(after: $0, retryAfter: nil, chance: chance) }
        }
        #expect(pauses(0) == [100, 200, 400, 500, 500].map { .milliseconds($0) })
        #expect(pauses(1) == [200, 400, 800, 1000, 1000].map { .milliseconds($0) })
        #expect(pauses(7) == pauses(1))
        #expect(pauses(-1) == pauses(0))
    }

    @Test("a service that says how long is asked no earlier, and not all at once")
    func retryAfter() throws {
        let policy = RetryPolicy()
        for chance in [0, 0.5, 1] {
            let pause = try #require(policy.pause(after: 1, retryAfter: .seconds(7), chance: chance))
            #expect(pause >= .seconds(7) && pause <= .milliseconds(7100))
        }
        #expect(policy.pause(after: 1, retryAfter: .seconds(30), chance: 0) == .seconds(30))
        #expect(policy.pause(after: 1, retryAfter: .seconds(31), chance: 0) == nil, "longer than the longest")
    }

    @Test("after the last attempt there is none", arguments: [1, 2, 5])
    func attempts(_ count: Int) {
        let policy = RetryPolicy(attempts: count)
        #expect(policy.pause(after: count, retryAfter: nil, chance: 0) == nil)
        #expect((1..<count).allSatisfy { policy.pause(after: $0, retryAfter: nil, chance: 0) != nil })
        #expect(RetryPolicy.never.pause(after: 1, retryAfter: .zero, chance: 0) == nil)
    }

    @Test("without pauses a retry follows at once, and with less than none there is no retry")
    func noPause() {
        #expect(RetryPolicy(maximumPause: .zero).pause(after: 1, retryAfter: nil, chance: 1) == .zero)
        #expect(RetryPolicy(maximumPause: .zero).pause(after: 1, retryAfter: .seconds(1), chance: 1) == nil)
        #expect(RetryPolicy(maximumPause: .zero).pause(after: 5, retryAfter: nil, chance: 1) == nil)
        for pause in [Duration.seconds(-1), .seconds(Int64.min)] {
            #expect(RetryPolicy(maximumPause: pause).pause(after: 1, retryAfter: nil, chance: 1) == nil)
        }
    }

    @Test("many attempts overflow nothing")
    func many() {
        let policy = RetryPolicy(attempts: .max)
        #expect(policy.pause(after: 1 << 40, retryAfter: nil, chance: 1) == policy.maximumPause)
    }

    @Test(
        "Retry-After is seconds or a moment",
        arguments: [
            ("0", Duration.zero), ("120", .seconds(120)), ("Thu, 01 Jan 1970 00:01:00 GMT", .seconds(60)),
            ("Wed, 31 Dec 1969 00:00:00 GMT", .zero),
        ])
    func header(_ value: String, _ duration: Duration) {
        #expect(RetryAfter(value, now: Date(timeIntervalSince1970: 0))?.duration == duration)
    }

    @Test(
        "what is neither is nothing",
        arguments: [
            "", "-1", "soon", "1.5", "Thu, 01 Foo 1970 00:01:00 GMT",
            "Thu, 01 Jan 1970 00:01:00 CET", "+5", " 5", "٣", "999999999999999999999s",
        ])
    func noHeader(_ value: String) { #expect(RetryAfter(value, now: Date(timeIntervalSince1970: 0)) == nil) }

    @Test(
        "what is further away than a year is a year, not at once",
        arguments: [
            "31622400", "31622401", "9223372036854775807", "9223372036854775808", "99999999999999999999",
            String(repeating: "9", count: 4000), "Thu, 01 Jan 1980 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT",
        ])
    func capped(_ value: String) throws {
        let year = try #require(RetryAfter(value, now: Date(timeIntervalSince1970: 0))).duration
        #expect(year == .seconds(366 * 86_400))
        #expect(RetryPolicy(maximumPause: .seconds(86_400)).pause(after: 1, retryAfter: year, chance: 0) == nil)
        var pauses = Pauses()
        #expect(pauses.next(within: .seconds(60), least: year) == .seconds(60))
    }

    @Test("pauses of a stream double, and end with the patience")
    func pauses() {
        var pauses = Pauses()
        #expect(pauses.next(within: .seconds(60)) == .milliseconds(100))
        #expect(pauses.next(within: .seconds(60)) == .milliseconds(200))
        #expect(pauses.next(within: .seconds(60), least: .seconds(2)) == .seconds(2))
        #expect(pauses.next(within: .seconds(60), least: .seconds(90)) == .seconds(60))
        for _ in 0..<5 { _ = pauses.next(within: .seconds(60)) }
        #expect(pauses.next(within: .seconds(60)) == .seconds(5))
        #expect(pauses.next(within: .zero) == nil)
    }

    @Test("after answers the first try does not wait, unless the service asks for it")
    func pausesAfterAnswers() {
        var pauses = Pauses(atOnce: true)
        #expect(pauses.next(within: .seconds(60)) == .zero)
        #expect(pauses.next(within: .seconds(60)) == .milliseconds(100))
        #expect(pauses.next(within: .seconds(60)) == .milliseconds(200))
        var asked = Pauses(atOnce: true)
        #expect(asked.next(within: .seconds(60), least: .seconds(2)) == .seconds(2))
        #expect(asked.next(within: .seconds(60)) == .milliseconds(100))
    }
}

@Suite struct IdempotencyKeyTests {
    @Test("a name is a string in quotes", arguments: [("a/1", #""a/1""#), (#"a"b\c"#, #""a\"b\\c""#)])
    func name(_ name: String, _ header: String) throws { #expect(try IdempotencyKey.header(name) == header) }

    @Test("without a name there is one of 128 bits, another each time")
    func random() throws {
        let keys = try (0..<100).map { _ in try IdempotencyKey.header(nil) }
        #expect(Set(keys).count == 100)
        #expect(keys.allSatisfy { $0.wholeMatch(of: /"[0-9a-f]{32}"/) != nil })
    }

    @Test("what no header can have is refused", arguments: ["", "é", "a\nb", String(repeating: "a", count: 256)])
    func refused(_ name: String) { #expect(throws: ConsentLinkError.self) { try IdempotencyKey.header(name) } }
}
