import Formats
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Redirect

/// Where apps made for other systems post what happened on the device, each in its system's words.
struct DeviceRoutes {
    /// What an event's body may be at most, in bytes. Ten times what the samples send.
    private static let maximumBodySize = 16 * 1024

    let intake: DeviceReportIntake

    func add(to router: Router<BasicRequestContext>) {
        // The Swift sample posts for those alone who have no tracking ID, so the last segment may be missing.
        for path in ["trackings/{trackingId}", "trackings"] {
            router.post("/api/v1.0/orgs/{org}/pushchannel/event/\(path)") { request, context in
                let body = try await Self.body(of: request)
                let trackingID = context.parameters.get("trackingId") ?? ""
                return try await answer(request, context, success: .ok) { () throws(DeviceReportError) in
                    try Dynamics365Event.read(trackingID: trackingID, body: body)
                }
            }
            router.refuseOtherMethods(than: [.post], on: "/api/v1.0/orgs/{org}/pushchannel/event/\(path)")
        }
        router.post("/api/v1.0/orgs/{org}/pushdatareceiver/events") { request, context in
            let body = try await Self.body(of: request)
            return try await answer(request, context, success: .accepted) { () throws(DeviceReportError) in
                try Dynamics365Event.read(body: body)
            }
        }
        router.post("/bird/v1/orgs/{org}/interactions") { request, context in
            let body = try await Self.body(of: request)
            return try await answer(request, context, success: .accepted) { () throws(DeviceReportError) in
                .report(try BirdInteraction.read(body: body))
            }
        }
        router.refuseOtherMethods(than: [.post], on: "/api/v1.0/orgs/{org}/pushdatareceiver/events")
        router.refuseOtherMethods(than: [.post], on: "/bird/v1/orgs/{org}/interactions")
        router.get("/r") { request, _ in try await hit(request) }
        router.post("/r") { request, _ in try await hit(request) }
        router.refuseOtherMethods(than: [.get, .post], on: "/r")
    }

    /// An event of an app that posts to one organization and takes 400 for "not valid".
    private func answer(
        _ request: Request, _ context: BasicRequestContext, success: HTTPResponse.Status,
        read: () throws(DeviceReportError) -> DeviceReading
    ) async throws -> Response {
        guard let organization = context.parameters.get("org").flatMap({ try? OrganizationID($0) }) else {
            throw Self.foreign
        }
        let reading: DeviceReading
        do throws(DeviceReportError) {
            reading = try read()
        } catch {
            intake.counters.count(.invalid)
            throw Problem(.badRequest, "Not an event: \(error).")
        }
        guard case .report(let report) = reading else { return Response(status: success) }
        switch try await intake.take(report, for: organization, objects: request.signals.hasGlobalPrivacyControl) {
        case .done: return Response(status: success)
        case .foreign: throw Self.foreign
        case .unavailable: throw Self.unavailable
        }
    }

    /// A hit of Adobe's mobile SDKs. They take 200 alone for success, send again after 408, 503 and 504, and drop the
    /// hit after anything else.
    private func hit(_ request: Request) async throws -> Response {
        guard let report = try? AdobeCampaignHit.read(query: request.uri.query ?? "") else {
            intake.counters.count(.invalid)
            throw Problem.notFound
        }
        switch try await intake.take(report, for: nil, objects: request.signals.hasGlobalPrivacyControl) {
        case .done: return Response(status: .ok, headers: [.cacheControl: "no-store"])
        case .foreign: throw Problem.notFound
        case .unavailable: throw Self.unavailable
        }
    }

    private static let foreign = Problem(
        .badRequest, "Not an event: the tracking ID is not of a message of this organization.")
    private static let unavailable = Problem.unavailable("The event cannot be recorded right now. Please try again.")

    private static func body(of request: Request) async throws -> [UInt8] {
        do {
            var buffer = try await request.body.collect(upTo: maximumBodySize)
            return buffer.readBytes(length: buffer.readableBytes) ?? []
        } catch is NIOTooManyBytesError {
            throw Problem(.badRequest, "Not an event: the body is larger than 16 KiB.")
        }
    }
}
