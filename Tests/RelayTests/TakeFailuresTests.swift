import ConsentLinkClient
import Testing

@testable import Relay

/// How long a relay waits before it asks again.
@Suite struct TakeFailuresTests {
    private func pauses(_ kinds: [TakeFailures.Kind]) -> [(pause: Duration, isFirst: Bool)] {
        var failures = TakeFailures()
        return kinds.map { failures.note($0) }
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

    @Test("409 says that the relay runs twice; every other failure is no answer")
    func kinds() {
        #expect(TakeFailures.Kind(ConsentLinkError.refused(Problem(status: 409, detail: "x"))) == .superseded)
        #expect(TakeFailures.Kind(ConsentLinkError.refused(Problem(status: 403, detail: "x"))) == .noAnswer)
        #expect(TakeFailures.Kind(ConsentLinkError.unreachable(reason: "x")) == .noAnswer)
    }
}
