import Consent
import Hummingbird
import Identifiers
import JSON
import Messages
import Organizations
import Redirect
import TrackingIDs
import UseCases

/// Requests that only the operator may make: the key ring, and inspecting a tracking ID.
struct OperatorRoutes {
    let rotation: KeyRotation
    let keys: CurrentKeyRing
    let messages: any MessageStore
    let organizations: any OrganizationDirectory
    let consent: any ConsentLookup
    let now: @Sendable () -> Timestamp

    var routes: [Route] {
        [
            Route(.get, "/v1/keyring", .operatorAlone, list),
            Route(.post, "/v1/keyring/rotate", .operatorAlone, act: .signingKeyRotated, takesBody: false, rotate),
            Route(.post, "/v1/keyring/{kid}/retire", .operatorAlone, act: .signingKeyRetired, retire),
            Route(.post, "/v1/inspect", .operatorAlone, inspect),
        ]
    }

    @Sendable private func list(_: AuthenticatedRequest) async throws -> Response {
        .list("keys", await rotation.list()) { listing, writer in
            writer.member("id", listing.key.id)
            writer.member("createdAt", listing.key.createdAt.rfc3339)
            writer.member("signs", listing.key.signedUntil == nil)
            writer.member("signedUntil", listing.key.signedUntil?.rfc3339)
            writer.member("linksAliveUntil", listing.linksAliveUntil?.rfc3339)
        }
    }

    @Sendable private func rotate(_ call: AuthenticatedRequest) async throws -> Response {
        let key: KeyRing.Key
        do {
            key = try await rotation.rotate(at: now())
        } catch TrackingIDError.noKeyIDFree {
            throw Problem(.conflict, "The key ring is full. Retire keys whose links have ended.")
        } catch let refusal as KeyRotation.RotationRefusal {
            throw Problem(
                .conflict,
                """
                The new key does not sign yet: these nodes have not taken it over: \(refusal.nodes.joined(separator: ", ")). \
                Ask again once they run, or remove those that do not come back.
                """)
        } catch is KeyRingMoved {
            throw Problem(.conflict, "Another node has changed the key ring. Look at it, and ask again.")
        }
        call.details.add("signingKey", key.id)
        return .json(.created) { writer in
            writer.object { writer in
                writer.member("id", key.id)
                writer.member("createdAt", key.createdAt.rfc3339)
            }
        }
    }

    @Sendable private func retire(_ call: AuthenticatedRequest) async throws -> Response {
        // Exact, because the key is destroyed: `01` is not taken for 1.
        guard let text = call.context.parameters.get("kid"), let id = UInt8(text), id.description == text else {
            throw Problem.notFound
        }
        let force = try await call.json(as: Self.retireShape)
        call.details.add("signingKey", id)
        call.details.add("force", force)
        do {
            let holders = try await rotation.retire(id, force: force, at: now())
            if let nodes = holders.detail { call.details.add("nodes", nodes) }
        } catch is KeyRingMoved {
            throw Problem(.conflict, "Another node has changed the key ring. Look at it, and ask again.")
        } catch KeyRotation.RetireRefusal.unknown {
            throw Problem.notFound
        } catch KeyRotation.RetireRefusal.signs {
            throw Problem(.conflict, "This key signs. Rotate first, so that another does.")
        } catch KeyRotation.RetireRefusal.clockNotTrusted {
            throw Problem(
                .conflict,
                """
                The system's clock went ahead by more than a day, so links signed with this key may still be alive. \
                Set the clock or, if it is right, ask again after a day. \
                To retire it all the same: "force": true, or --force on the command line.
                """)
        } catch KeyRotation.RetireRefusal.alive(let end) {
            throw Problem(
                .conflict,
                """
                Links signed with this key may be alive until \(end). \
                To retire it all the same: "force": true, or --force on the command line.
                """)
        }
        return Response(status: .noContent)
    }

    private static var retireShape: JSONShape<Bool> {
        .object { fields throws(BodyProblems) in
            let force = fields.optional("force", .bool, default: false)
            try fields.finish()
            return force
        }
    }

    /// The content of a tracking ID, and whether a click on it would be recorded now. The answer does not name the
    /// recipient.
    @Sendable private func inspect(_ call: AuthenticatedRequest) async throws -> Response {
        let token = try await call.json(as: Self.inspectShape)
        switch try TrackingIDOpener(keyRing: keys.value).open(token) {
        case .refused(let refusal):
            return .json { writer in
                writer.object { writer in
                    writer.member("genuine", false)
                    writer.member("reason", refusal.rawValue)
                }
            }
        case .opened(let id, let keyID): return try await explain(id, keyID)
        }
    }

    private static var inspectShape: JSONShape<String> {
        .object { fields throws(BodyProblems) in
            let token = fields.required("token", .string)
            try fields.finish()
            return try token.get()
        }
    }

    private func explain(_ id: TrackingID, _ keyID: UInt8) async throws -> Response {
        let message = try await messages.message(id.message)
        let instant = now()
        let verdicts = try await verdicts(on: id, of: message, at: instant)
        let link = message?.links.first { $0.index == id.link }
        let isDisabled = message?.isDisabled ?? false
        func isRecorded(_ activity: TrackedActivity) -> Bool {
            // For a request without signals; quotas are ignored.
            guard !isDisabled else { return false }
            let policy = RecordingPolicy(
                honorsGPC: true, expires: id.expiry.timestamp, consentEnded: verdicts[activity]?.outcome != .tracked,
                isFull: false)
            return policy.verdict(at: instant) == .record
        }
        return .json { writer in
            writer.object { writer in
                writer.member("genuine", true)
                writer.member("key", keyID)
                writer.member("organization", message?.organization.description)
                writer.member("message", message?.id.description)
                writer.member("link", id.link.rawValue)
                writer.member("target", link?.target.text)
                writer.member("disabled", isDisabled)
                writer.member("expires", id.expiry.timestamp.rfc3339)
                writer.member("expired", id.expiry.hasPassed(at: instant))
                writer.member("consent", verdicts[.clicks]?.reason.rawValue)
                writer.member("recorded", isRecorded(.clicks))
                // A tracking ID of a link is only about clicks.
                guard verdicts.areApart, id.link == .message else { return }
                writer.key("opens")
                writer.object { writer in
                    writer.member("consent", verdicts[.opens]?.reason.rawValue)
                    writer.member("recorded", isRecorded(.opens))
                }
            }
        }
    }

    /// Whether its recipient may be tracked, for each activity that the message asks for; `nil` inside if the message
    /// is not known.
    private func verdicts(
        on id: TrackingID, of message: StoredMessage?, at instant: Timestamp
    ) async throws -> PerActivity<ConsentVerdict?> {
        guard let message, let organization = try await organizations.organization(message.organization) else {
            return .together(nil)
        }
        let purposes = message.content.purposes.distinct
        let statuses = try await consent.statuses(
            of: purposes.map { ReferenceQuestion(reference: id.recipient, purpose: $0, instant: instant) })
        let policy = ConsentPolicy(enforcement: organization.enforcement)
        let verdicts = statuses.map { policy.decide($0, at: instant) }
        return purposes.count == 1
            ? .together(verdicts.first) : .apart(clicks: verdicts.first, opens: verdicts.last)
    }
}
