import Consent
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import Messages
import NIOCore
import Organizations
import Pages
import Redirect
import TrackingIDs
import UseCases

/// The pages of consent requests: `/c/{token}`.
///
/// A GET changes nothing, however often a gateway or a browser fetches the page: only a posted form is an answer.
struct ConsentRequestPageRoutes {
    let organizations: any OrganizationDirectory
    let store: any ConsentRequestStore
    let requesting: ConsentRequesting
    let receipts: SharedReceiptTokens
    let now: @Sendable () -> Timestamp

    func add(to router: Router<BasicRequestContext>) {
        let path = PublicPath.consentRequest.template("token")
        router.get(path) { request, context in try await answer(request, context, show) }
        router.head(path) { request, context in try await answer(request, context, show) }
        router.post(path) { request, context in try await answer(request, context, press) }
        router.refuseOtherMethods(than: [.get, .head, .post], on: path.description)
    }

    /// The consent request of a page.
    private struct Subject: Sendable {
        let request: ConsentRequest
        let step: ConsentRequestStep
        let organization: Organization
        let language: PageLanguage
    }

    private func show(_ subject: Subject, _ request: Request) async throws -> Response {
        let instant = now()
        let isGone = subject.request.recipient == nil || subject.request.hasExpired(at: instant)
        return page(of: subject.request, subject, at: instant).response(status: isGone ? .gone : .ok)
    }

    private func press(_ subject: Subject, _ request: Request) async throws -> Response {
        let unreadable = ConsentRequestPage.unreadable(in: subject.language)
        guard let form = try await AnswerForm.read(request) else {
            return unreadable.response(status: .unprocessableContent)
        }
        // The form of the page says in which language the page was shown.
        let evidence = ConsentEvidence(
            method: "consent-request", actor: "subject", language: request.shownLanguage?.tag)
        let press = AnswerPress(
            request: subject.request.id, step: subject.step, purpose: form.purpose, answer: form.answer,
            evidence: evidence)
        let instant = now()
        guard let answered = try await requesting.answer(press, in: subject.organization.id, at: instant) else {
            return RefusalResponse(.linkNotFound).response(to: request)
        }
        let status: HTTPResponse.Status =
            switch answered.verdict {
            case .records, .awaitsConfirmation, .changesNothing(.repeated): .ok
            case .changesNothing(.newerRequest), .changesNothing(.laterAnswer): .conflict
            case .changesNothing(.expired), .changesNothing(.erased): .gone
            case .changesNothing(.notAsked): .unprocessableContent
            case .changesNothing(.tooOften): .tooManyRequests
            }
        guard status != .unprocessableContent else { return unreadable.response(status: status) }
        // If a yes must be confirmed, another person may have the first link, and a receipt names the recipient.
        let mayBeAnother = subject.step == .question && answered.request.needsConfirmation
        let offer = receipts.offer(of: mayBeAnother ? [] : answered.record.map { [$0] } ?? [], at: instant)
        return page(of: answered.request, subject, at: instant, offering: offer).response(status: status)
    }

    private func page(
        of request: ConsentRequest, _ subject: Subject, at instant: Timestamp,
        offering receipts: ReceiptOffer = ReceiptOffer([])
    ) -> WebPage {
        ConsentRequestPage(
            request: request, step: subject.step, sender: subject.organization.name, language: subject.language,
            now: instant, receipts: receipts
        ).page
    }

    private func answer(
        _ request: Request, _ context: BasicRequestContext,
        _ act: (Subject, Request) async throws -> Response
    ) async throws -> Response {
        do {
            guard let subject = try await subject(of: request) else {
                return RefusalResponse(.linkNotFound).response(to: request)
            }
            return try await act(subject, request)
        } catch {
            context.logger.report(error, answeredWith: Problem(describing: error))
            return RefusalResponse(.pageUnavailable).response(to: request)
        }
    }

    /// - Returns: `nil` if the token is not genuine, and if the request no longer exists. Only one spelling of a token
    ///   opens.
    private func subject(of request: Request) async throws -> Subject? {
        let token = PublicPath.consentRequest.rest(of: request.uri.path)
        guard let link = try requesting.open(token), let found = try await store.request(link.request),
            let organization = try await organizations.organization(found.organization)
        else { return nil }
        return Subject(request: found, step: link.step, organization: organization, language: request.pageLanguage)
    }
}
