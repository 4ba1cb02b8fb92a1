import Consent
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import NIOCore
import Organizations
import Redirect
import TrackingIDs
import UseCases

/// The page on which a recipient sees whether they are tracked, and ends it: `/p/{trackingId}`.
///
/// The address is all that is needed, as it is for the link: only who got the message has it. Looking changes nothing,
/// however often a gateway or a browser looks ahead. Neither the age of a link nor a message that was switched off keeps
/// anybody from withdrawing.
struct WithdrawalRoutes {
    private static let prefix = "/p/"

    let gate: SharedTrackingIDOpener
    let directory: LinkDirectory
    let organizations: any OrganizationDirectory
    let consent: any ConsentLookup
    let recording: ConsentRecording
    let now: @Sendable () -> Timestamp

    func add(to router: Router<BasicRequestContext>) {
        router.get("/p/{trackingId}") { request, context in try await answer(request, context, show) }
        router.head("/p/{trackingId}") { request, context in try await answer(request, context, show) }
        router.post("/p/{trackingId}") { request, context in try await answer(request, context, withdraw) }
        router.refuseOtherMethods(than: [.get, .head, .post], on: "/p/{trackingId}")
    }

    /// The recipient, and the organization whose message it is about.
    private struct Subject: Sendable {
        let recipient: RecipientReference
        let purpose: Purpose
        let organization: Organization
    }

    private func show(_ subject: Subject) async throws -> WithdrawalPage.State {
        let instant = now()
        let question = ReferenceQuestion(reference: subject.recipient, purpose: subject.purpose, instant: instant)
        let status = try await consent.statuses(of: [question]).first ?? .erased
        return .init(status, ConsentPolicy(enforcement: subject.organization.enforcement), at: instant)
    }

    /// The body says nothing that the address does not, whether it comes from the page's form or from a mail system
    /// that unsubscribes with one click (RFC 8058), so none of it is read.
    private func withdraw(_ subject: Subject) async throws -> WithdrawalPage.State {
        .init(
            try await recording.withdraw(
                subject.recipient, for: subject.purpose,
                evidence: ConsentEvidence(method: "withdrawal-page", actor: "subject"),
                in: subject.organization.id, at: now()))
    }

    private func answer(
        _ request: Request, _ context: BasicRequestContext,
        _ act: (Subject) async throws -> WithdrawalPage.State
    ) async throws -> Response {
        do {
            guard let subject = try await subject(of: request.uri.path) else {
                return RefusalAnswer.notFound.response(to: request)
            }
            return WithdrawalPage(
                organization: subject.organization.name, purpose: subject.purpose, state: try await act(subject)
            ).response
        } catch {
            context.logger.report(error, answeredWith: Problem(describing: error))
            return RefusalAnswer.unavailable(
                "This cannot be looked up or changed right now. Please try again in a moment."
            ).response(to: request)
        }
    }

    /// - Returns: `nil` for a tracking ID that is not genuine. It opens in its one spelling alone, as in a link, with the
    ///   one trailing slash that a mail gateway may have added.
    private func subject(of path: String) async throws -> Subject? {
        var token = path.dropFirst(Self.prefix.count)
        if token.utf8.last == UInt8(ascii: "/") { token = token.dropLast() }
        guard let id = gate.open({ $0.open(token) }).trackingID,
            let message = try await directory.find(id.message),
            let organization = try await organizations.organization(message.organization)
        else { return nil }
        return Subject(recipient: id.recipient, purpose: message.purpose, organization: organization)
    }
}

extension RefusalAnswer {
    fileprivate func response(to request: Request) -> Response {
        let asHTML = request.headers[values: .accept].contains { $0.lowercased().contains("text/html") }
        var headers = HTTPFields()
        for (name, value) in header(asHTML: asHTML) { HTTPField.Name(name).map { headers[$0] = value } }
        return Response(
            status: .init(code: code), headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: body(asHTML: asHTML))))
    }
}
