/// The endpoint to which the apps of each system report, its format, and its status for success.
package enum DeviceEndpoint: Int, Hashable, Sendable, CaseIterable {
    /// Dynamics 365 with the tracking ID in the path.
    case dynamics365Version1
    /// Dynamics 365 with the tracking ID in the body.
    case dynamics365Version2
    case bird
    /// Hits of Adobe's mobile SDKs: the query contains everything.
    case adobeCampaign

    /// The endpoints whose path names an organization.
    static let ofOrganizations: [Self] = [.dynamics365Version1, .dynamics365Version2, .bird]

    /// The path of ``adobeCampaign``, with or without a slash at its end.
    static let hits: StaticString = "/r"

    /// The parts of the path before and after the organization, if it names one.
    var path: (start: StaticString, end: StaticString)? {
        switch self {
        case .dynamics365Version1: ("/api/v1.0/orgs/", "/pushchannel/event/trackings")
        case .dynamics365Version2: ("/api/v1.0/orgs/", "/pushdatareceiver/events")
        case .bird: ("/bird/v1/orgs/", "/interactions")
        case .adobeCampaign: nil
        }
    }

    /// Whether the path ends in a slash and the tracking ID.
    var hasTrackingIDInPath: Bool { self == .dynamics365Version1 }

    private static let templates = allCases.map { endpoint in
        let path = endpoint.templateWithoutTrackingID
        return endpoint.hasTrackingIDInPath ? "\(path)/{trackingId}" : path
    }

    /// The path for a router, with `{org}` and `{trackingId}` in it.
    package var template: String { Self.templates[rawValue] }

    /// The path to which an app without a tracking ID posts; for other endpoints the same as ``template``.
    package var templateWithoutTrackingID: String {
        guard let path else { return "\(Self.hits)" }
        return "\(path.start){org}\(path.end)"
    }

    /// Whether a report may come by `GET`, too.
    package var takesGet: Bool { self == .adobeCampaign }

    /// The status that the apps take for success.
    package var successCode: Int {
        switch self {
        case .dynamics365Version1, .adobeCampaign: 200
        case .dynamics365Version2, .bird: 202
        }
    }

    /// The value of `Cache-Control` in the answer, if it has one.
    package var cacheControl: String? { takesGet ? "no-store" : nil }

    /// Reads a report.
    ///
    /// - Parameters:
    ///   - trackingID: the last segment of the path as it was sent; ignored if the path has no tracking ID.
    ///   - query: the part after the question mark, as it was sent; ignored if the report is in the body.
    package func read(
        trackingID: Span<UInt8>, query: Span<UInt8>, body: Span<UInt8>
    ) throws(DeviceReportError) -> DeviceReading {
        switch self {
        case .dynamics365Version1: try Dynamics365Event.read(trackingID: trackingID, body: body)
        case .dynamics365Version2: try Dynamics365Event.read(body: body)
        case .bird: .report(try BirdInteraction.read(body: body))
        case .adobeCampaign: .report(try AdobeCampaignHit.read(query: query))
        }
    }
}
