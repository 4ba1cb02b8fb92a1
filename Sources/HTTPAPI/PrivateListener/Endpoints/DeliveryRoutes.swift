import Cryptography
import Hummingbird
import Identifiers
import JSON
import Organizations
import UseCases
import Webhooks

/// The routes for relays: a relay takes the next deliveries, gets them again if it could not send them at once, and
/// reports their results.
struct DeliveryRoutes {
    private static let limit = 1...Endpoint.maximumCount

    let organizations: any OrganizationDirectory
    let deliveries: EndpointDeliveries

    var routes: [Route] {
        [
            Route(.post, "/v1/orgs/{org}/deliveries/take", .scopes([.deliver]), take),
            Route(.post, "/v1/orgs/{org}/deliveries/renew", .scopes([.deliver]), renew),
            Route(.post, "/v1/orgs/{org}/deliveries/report", .scopes([.deliver]), report),
        ]
    }

    @Sendable private func take(_ call: AuthenticatedRequest) async throws -> Response {
        let asked = try await call.json(as: TakeRequest.shape)
        try await call.refuseUnknownOrganization(organizations)
        let taken: TakenDeliveries
        do {
            taken = try await deliveries.take(
                for: asked.relay, limit: asked.limit, within: asked.wait.duration, in: try call.organization,
                call.validity)
        } catch is RelayIsSuperseded {
            throw Self.superseded
        }
        return .json { writer in
            writer.object { writer in
                writer.objects("deliveries", taken.deliveries) { $1.members(of: $0) }
                writer.member("waitedMilliseconds", taken.waited.wholeMilliseconds)
            }
        }
    }

    @Sendable private func renew(_ call: AuthenticatedRequest) async throws -> Response {
        let asked = try await call.json(as: RenewRequest.shape)
        try await call.refuseUnknownOrganization(organizations)
        do {
            let delivery = try await deliveries.renew(asked.token, by: asked.relay, in: try call.organization)
            return .json { writer in writer.object { $0.members(of: delivery) } }
        } catch is LeaseEnded {
            throw Self.ended
        } catch is RelayIsSuperseded {
            throw Self.superseded
        }
    }

    private static var superseded: Problem {
        Problem(.conflict, "This relay runs twice: another process with the same folder began later.")
    }

    private static var ended: Problem {
        Problem(.conflict, "The delivery is another relay's by now, or its endpoint was changed.")
    }

    @Sendable private func report(_ call: AuthenticatedRequest) async throws -> Response {
        let told = try await call.json(as: ReportRequest.shape)
        try await call.refuseUnknownOrganization(organizations)
        do {
            let (verdict, next) = try await deliveries.report(
                told.outcome, of: told.token, milliseconds: told.milliseconds, wantsNext: told.wantsNext,
                by: told.relay,
                in: try call.organization)
            return .json { writer in
                writer.object { writer in
                    if case .stop(let state) = verdict {
                        writer.member("stopped", state.rawValue)
                    } else {
                        writer.member("stopped", nil as String?)
                    }
                    writer.key("next")
                    if let next { writer.object { $0.members(of: next) } } else { writer.null() }
                }
            }
        } catch is LeaseEnded {
            throw Self.ended
        } catch is RelayIsSuperseded {
            throw Self.superseded
        }
    }

    private struct TakeRequest {
        let relay: RelayIdentity
        let limit: Int
        let wait: FeedWait

        static var shape: JSONShape<TakeRequest> {
            .object { fields throws(BodyProblems) in
                let relay = fields.required("relay", .relay)
                let limit = fields.optional("limit", .integer(in: DeliveryRoutes.limit), default: 1)
                let wait = fields.optional("wait", FeedWait.shape, default: .none)
                try fields.finish()
                return TakeRequest(relay: try relay.get(), limit: limit, wait: wait)
            }
        }
    }

    private struct RenewRequest {
        let relay: RelayIdentity
        let token: [UInt8]

        static var shape: JSONShape<RenewRequest> {
            .object { fields throws(BodyProblems) in
                let relay = fields.required("relay", .relay)
                let token = fields.required("delivery", .token)
                try fields.finish()
                return RenewRequest(relay: try relay.get(), token: try token.get())
            }
        }
    }

    private struct ReportRequest {
        let relay: RelayIdentity
        let token: [UInt8]
        let outcome: DeliveryOutcome
        let milliseconds: Int
        let wantsNext: Bool

        static var shape: JSONShape<ReportRequest> {
            .object { fields throws(BodyProblems) in
                let relay = fields.required("relay", .relay)
                let token = fields.required("delivery", .token)
                let milliseconds = fields.required("milliseconds", .integer(in: DeliveryAttempt.durations))
                let status = fields.optional("status", .integer(in: DeliveryOutcome.statuses))
                let retryAfter = fields.optional("retryAfter", JSONShape<Int>.integer(in: 0...Int(Int32.max)))
                let failure = fields.optional("reason", JSONShape<DeliveryFailure>.choice)
                let more = fields.optional("more", .bool, default: true)
                try fields.finish()
                let outcome: DeliveryOutcome
                switch (status, failure) {
                case (let status?, nil): outcome = .answered(status: status, retryAfter: retryAfter)
                case (nil, let failure?): outcome = .failed(failure)
                case (nil, nil): throw BodyProblems(fields.pointer.appending("status"), "is required, or reason")
                case (_?, _?): throw BodyProblems(fields.pointer.appending("reason"), "must not be set beside status")
                }
                return ReportRequest(
                    relay: try relay.get(), token: try token.get(), outcome: outcome,
                    milliseconds: try milliseconds.get(), wantsNext: more)
            }
        }
    }
}

extension JSONShape where Value == RelayIdentity {
    /// `{"id":"…","process":"…"}`
    fileprivate static var relay: JSONShape {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", .string(RelayName.init))
            let process = fields.required("process", .string(RelayName.init))
            try fields.finish()
            return RelayIdentity(relay: try id.get(), process: try process.get())
        }
    }
}

extension JSONShape where Value == [UInt8] {
    /// The token of a lease.
    fileprivate static var token: JSONShape {
        .string { text throws(CryptographyError) in
            try Base64URL.decode(text)
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of delivery: Delivery) {
        member("delivery", Base64URL.encode(delivery.token))
        member("endpoint", delivery.endpoint.description)
        member("url", delivery.url.text)
        member("webhookId", delivery.signature.id)
        member("webhookTimestamp", delivery.signature.timestamp)
        member("webhookSignature", delivery.signature.signatures)
        member("contentType", CloudEvent.mediaType)
        member("body", String(decoding: delivery.body, as: UTF8.self))
    }
}
