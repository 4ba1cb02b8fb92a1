import JSON
import Testing

@testable import Relay

/// One task at a time delivers to an endpoint.
@Suite struct EndpointsUnderWayTests {
    private func delivery(_ token: String, _ endpoint: String) throws -> RelayedDelivery {
        let text = RelayFixture.delivery(token, of: endpoint, to: "https://crm.example/")
        return try #require(RelayedDelivery(try JSONValue.parse(Array(text.utf8)), leasedSince: .now))
    }

    @Test("what is leased while its endpoint is under way goes to the task that is at it, the newest alone")
    func handOver() throws {
        let underWay = EndpointsUnderWay()
        #expect(underWay.begin(try delivery("AAAA", "one")))
        #expect(underWay.begin(try delivery("BBBB", "two")))
        #expect(!underWay.begin(try delivery("CCCC", "one")))
        #expect(!underWay.begin(try delivery("DDDD", "one")))
        #expect(underWay.end("two") == nil)
        #expect(underWay.end("one")?.token == "DDDD")
        #expect(!underWay.begin(try delivery("EEEE", "one")), "the task is at it again")
        #expect(underWay.end("one")?.token == "EEEE")
        #expect(underWay.end("one") == nil)
        #expect(underWay.begin(try delivery("FFFF", "one")))
    }
}
