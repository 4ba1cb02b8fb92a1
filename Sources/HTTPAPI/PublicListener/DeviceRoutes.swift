import Formats
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore
import Redirect

/// The routes to which apps that were made for other systems post events, each in the format of its system.
struct DeviceRoutes {
    /// The largest body of an event, in bytes. Ten times the size that the samples send.
    private static let maximumBodySize = 16 * 1024
    private static let empty: [UInt8] = []

    let intake: DeviceReportIntake

    func add(to router: Router<BasicRequestContext>) {
        for endpoint in DeviceEndpoint.allCases where !endpoint.takesGet {
            // The Swift sample posts only for recipients without a tracking ID, so the last segment may be missing.
            for path in Set([endpoint.template, endpoint.templateWithoutTrackingID]) {
                router.post(RouterPath(path)) { try await event(of: endpoint, $0, $1) }
                router.refuseOtherMethods(than: [.post], on: path)
            }
        }
        let hits = DeviceEndpoint.adobeCampaign.template
        router.get(RouterPath(hits)) { request, _ in try await hit(request) }
        router.post(RouterPath(hits)) { request, _ in try await hit(request) }
        router.refuseOtherMethods(than: [.get, .post], on: hits)
    }

    /// An event of an app that posts to one organization and understands 400 as "not valid".
    private func event(
        of endpoint: DeviceEndpoint, _ request: Request, _ context: BasicRequestContext
    ) async throws -> Response {
        let body = try await Self.body(of: request)
        guard let organization = context.parameters.get("org").flatMap({ try? OrganizationID($0) }) else {
            throw Self.foreign
        }
        let reading: DeviceReading
        do throws(DeviceReportError) {
            let trackingID = context.parameters.get("trackingId") ?? ""
            reading = try endpoint.read(trackingID: trackingID.utf8Span.span, query: Self.empty.span, body: body.span)
        } catch {
            intake.counters.count(.invalid)
            throw Problem(.badRequest, "Not an event: \(error).")
        }
        guard case .report(let report) = reading else { return Self.success(of: endpoint) }
        let outcome = try await intake.take(
            report, for: organization, hasGlobalPrivacyControl: request.signals.hasGlobalPrivacyControl)
        switch outcome {
        case .done: return Self.success(of: endpoint)
        case .foreign: throw Self.foreign
        case .unavailable: throw Self.unavailable
        }
    }

    /// A hit of Adobe's mobile SDKs. They take only 200 for success, send again after 408, 503 and 504, and drop the
    /// hit after any other status.
    private func hit(_ request: Request) async throws -> Response {
        let endpoint = DeviceEndpoint.adobeCampaign
        let query = request.uri.query ?? ""
        guard
            case .report(let report)? = try? endpoint.read(
                trackingID: Self.empty.span, query: query.utf8Span.span, body: Self.empty.span)
        else {
            intake.counters.count(.invalid)
            throw Problem.notFound
        }
        let outcome = try await intake.take(
            report, for: nil, hasGlobalPrivacyControl: request.signals.hasGlobalPrivacyControl)
        switch outcome {
        case .done: return Self.success(of: endpoint)
        case .foreign: throw Problem.notFound
        case .unavailable: throw Self.unavailable
        }
    }

    private static func success(of endpoint: DeviceEndpoint) -> Response {
        var headers: HTTPFields = [:]
        headers[.cacheControl] = endpoint.cacheControl
        return Response(status: HTTPResponse.Status(code: endpoint.successCode), headers: headers)
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
