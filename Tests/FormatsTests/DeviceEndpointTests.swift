import Formats
import Testing

@Suite struct DeviceEndpointTests {
    private func target(_ text: String) -> (endpoint: DeviceEndpoint, parts: [String])? {
        let bytes = Array(text.utf8)
        return DeviceTarget(bytes.span).map { target in
            let parts = [target.organization, target.trackingID, target.query]
            return (target.endpoint, parts.map { String(decoding: bytes[$0], as: UTF8.self) })
        }
    }

    @Test(
        "the target of each system's apps is read, and where its parts stand",
        arguments: [
            (
                "/api/v1.0/orgs/acme/pushchannel/event/trackings/ABC", DeviceEndpoint.dynamics365Version1,
                ["acme", "ABC", ""]
            ),
            ("/api/v1.0/orgs/acme/pushchannel/event/trackings/", .dynamics365Version1, ["acme", "", ""]),
            ("/api/v1.0/orgs/acme/pushchannel/event/trackings/a%2Fb", .dynamics365Version1, ["acme", "a%2Fb", ""]),
            ("/api/v1.0/orgs/b%20c/pushdatareceiver/events", .dynamics365Version2, ["b%20c", "", ""]),
            ("/bird/v1/orgs/0a-1/interactions", .bird, ["0a-1", "", ""]),
            ("/r?id=1", .adobeCampaign, ["", "", "id=1"]), ("/r/?a=?&b=/", .adobeCampaign, ["", "", "a=?&b=/"]),
            ("/r?", .adobeCampaign, ["", "", ""]),
        ])
    func targets(_ text: String, _ endpoint: DeviceEndpoint, _ parts: [String]) throws {
        let target = try #require(self.target(text))
        #expect(target.endpoint == endpoint)
        #expect(target.parts == parts)
    }

    @Test(
        "another target is none",
        arguments: [
            "", "/", "/r", "/r/", "/r/x?id=1", "/rx?id=1", "/R?id=1", "/bird/v1/orgs/acme", "/bird/v1/orgs/acme/",
            "/bird/v1/orgs/acme/interactions/", "/bird/v1/orgs/acme/interactions?x", "/bird/v1/orgs/a/b/interactions",
            "/bird/v1/orgs//acme/interactions", "//bird/v1/orgs/acme/interactions", "/bird/V1/orgs/acme/interactions",
            "/api/v1.0/orgs/acme/pushchannel/event/trackings", "/api/v1.0/orgs/acme/pushchannel/event/trackings/a/",
            "/api/v1.0/orgs/acme/pushchannel/event/trackings/a?b", "/api/v1.0/orgs/acme/pushdatareceiver/events/x",
            "http://x/bird/v1/orgs/acme/interactions",
        ])
    func others(_ text: String) { #expect(target(text) == nil) }

    @Test("a router gets the same paths")
    func templates() {
        #expect(
            DeviceEndpoint.allCases.map(\.template) == [
                "/api/v1.0/orgs/{org}/pushchannel/event/trackings/{trackingId}",
                "/api/v1.0/orgs/{org}/pushdatareceiver/events", "/bird/v1/orgs/{org}/interactions", "/r",
            ])
        for endpoint in DeviceEndpoint.allCases where !endpoint.takesGet {
            let path = endpoint.template.replacing("{org}", with: "acme").replacing("{trackingId}", with: "x")
            #expect(target(path)?.endpoint == endpoint)
        }
        #expect(
            DeviceEndpoint.dynamics365Version1.templateWithoutTrackingID
                == "/api/v1.0/orgs/{org}/pushchannel/event/trackings")
    }
}
