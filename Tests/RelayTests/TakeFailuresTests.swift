import ConsentLinkClient
import Testing

@testable import Relay

/// How long a relay waits before it asks again.
@Suite struct TakeFailuresTests {
    private func pauses(_ kinds: [TakeFailures.Kind]) -> [(pause: Duration, isFirst: Bool)] {
        var failures = TakeFailures()
        return kinds.map { failures.record($0) }
    }

    @Test("a relay that runs twice waits longer and longer, up to a minute, and says so once")
    func superseded() {
        let noted = pauses(Array(repeating: .superseded, count: 7))
        #expect(noted.map(\.pause) == [5, 10, 20, 40, 60, 60, 60].map { .seconds($0) })
        #expect(noted.map(\.isFirst) == [true] + Array(repeating: false, count: 6))
    }

    @Test("a service that does not answer is asked soon again, and another kind of failure begins anew")
    func noAnswer() {
        let noted = pauses([.noAnswer, .noAnswer, .noAnswer, .noAnswer, .noAnswer, .superseded, .noAnswer])
        #expect(noted.map(\.pause) == [100, 500, 1000, 2000, 2000, 5000, 100].map { .milliseconds($0) })
        #expect(noted.map(\.isFirst) == [true, false, false, false, false, true, true])
    }

    @Test("a service that is in trouble is asked soon again, one that refuses the relay later and later")
    func refused() {
        let unavailable = pauses(Array(repeating: .refused(status: 503), count: 5))
        #expect(unavailable.map(\.pause) == [100, 500, 1000, 2000, 2000].map { .milliseconds($0) })
        let refused = pauses([401, 401, 401, 401, 401, 403].map { .refused(status: $0) })
        #expect(refused.map(\.pause) == [5, 10, 20, 40, 60, 5].map { .seconds($0) })
        #expect(refused.map(\.isFirst) == [true, false, false, false, false, true])
    }

    @Test(
        "a relay that was told to come later waits as long as it was told, at most a minute, and not as if refused for good",
        arguments: [(nil, 100), (0, 100), (1, 1000), (59, 59_000), (3600, 60_000)] as [(Int64?, Int64)])
    func comeLater(_ wish: Int64?, _ pause: Int64) {
        var failures = TakeFailures()
        let noted = failures.record(.refused(status: 429), wish: wish.map { .seconds($0) })
        #expect(noted.pause == .milliseconds(pause) && noted.isFirst)
        let next = failures.record(.refused(status: 429))
        #expect(next.pause == .milliseconds(500) && !next.isFirst)
    }

    @Test("a wish counts beside no other status: a service in trouble is asked soon again")
    func otherWishes() {
        var failures = TakeFailures()
        #expect(failures.record(.refused(status: 503), wish: .seconds(30)).pause == .milliseconds(100))
        #expect(failures.record(.superseded, wish: .seconds(30)).pause == .seconds(5))
    }

    @Test("409 says that the relay runs twice; every other status is a refusal, and no status is no answer")
    func kinds() {
        #expect(TakeFailures.Kind(ConsentLinkError.refused(Problem(status: 409, detail: "x"))) == .superseded)
        for status in [401, 403, 500, 503] {
            let error = ConsentLinkError.refused(Problem(status: status, detail: "x"))
            #expect(TakeFailures.Kind(error) == .refused(status: status))
        }
        #expect(TakeFailures.Kind(ConsentLinkError.unreachable(reason: "x")) == .noAnswer)
    }
}
