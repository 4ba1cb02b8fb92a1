import Testing

@testable import Relay

/// One task at a time delivers to an endpoint.
@Suite struct EndpointsUnderWayTests {
    private func lease(_ token: String, _ endpoint: String) -> RelayedLease {
        RelayedLease(token: token, endpoint: endpoint, end: .now + .seconds(30))
    }

    @Test("a lease that comes while its endpoint is under way goes to the task that is at it, the newest alone")
    func handOver() {
        let underWay = EndpointsUnderWay()
        #expect(underWay.begin(lease("AAAA", "one")))
        #expect(underWay.begin(lease("BBBB", "two")))
        #expect(!underWay.begin(lease("CCCC", "one")))
        #expect(!underWay.begin(lease("DDDD", "one")))
        #expect(underWay.end("two") == nil)
        #expect(underWay.end("one")?.token == "DDDD")
        #expect(!underWay.begin(lease("EEEE", "one")), "the task is at it again")
        #expect(underWay.end("one")?.token == "EEEE")
        #expect(underWay.end("one") == nil)
        #expect(underWay.begin(lease("FFFF", "one")))
    }
}
