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

/// The page on which a recipient sees whether they are tracked, and ends it: `/p/{trackingId}`.
///
/// The address is all that is needed, as for the link: only a holder of the message has it. A GET changes nothing,
/// however often a gateway or a browser fetches the page. The recipient can withdraw even if the link is old or the
/// message was disabled. If the page speaks of links and of opens separately, the recipient ends either of them, or
/// both together.
struct WithdrawalRoutes {
    let opener: SharedTrackingIDOpener
    let directory: LinkDirectory
    let organizations: any OrganizationDirectory
    let consent: any ConsentLookup
    let recording: ConsentRecording
    let receipts: SharedReceiptTokens
    let now: @Sendable () -> Timestamp

    func add(to router: Router<BasicRequestContext>) {
        let path = PublicPath.withdrawal.template("trackingId")
        router.get(path) { request, context in try await answer(request, context, show) }
        router.head(path) { request, context in try await answer(request, context, show) }
        router.post(path) { request, context in try await answer(request, context, withdraw) }
        router.refuseOtherMethods(than: [.get, .head, .post], on: path.description)
    }

    /// The recipient, and the organization of the message.
    private struct Subject: Sendable {
        let recipient: RecipientReference
        let purposes: MessagePurposes
        let organization: Organization
    }

    private func show(_ subject: Subject, _: Request) async throws -> WithdrawalPage {
        await page(of: subject, try await answers(subject)?.entries ?? [])
    }

    private func page(
        of subject: Subject, _ entries: [WithdrawalPage.Entry], receipts: ReceiptOffer = ReceiptOffer([])
    ) async -> WithdrawalPage {
        WithdrawalPage(
            sender: subject.organization.name, entries: entries,
            mayHaveOtherPurposes: await mayHaveOtherPurposes(subject), receipts: receipts)
    }

    /// Without consent records, `nonRestrictive` permits recording for any purpose.
    private func mayHaveOtherPurposes(_ subject: Subject) async -> Bool {
        switch subject.organization.enforcement {
        case .nonRestrictive: true
        case .restrictive:
            await recording.mayHavePurposes(
                besides: Set(WithdrawalAnswers.purposes(of: subject.purposes)), in: subject.organization.id)
        }
    }

    /// Records the withdrawal of the named parts, all of them or nothing. A page about `tracking` speaks of links and
    /// opens, so a no to all of it is about `open-tracking`, too. Everything else on the page is read first: if
    /// that read fails, the request is answered with an outage and records nothing.
    private func withdraw(_ subject: Subject, _ request: Request) async throws -> WithdrawalPage {
        let hasParts = subject.purposes.shared.map { $0 == .tracking } ?? true
        let named = hasParts ? try await WithdrawalForm.parts(of: request) : nil
        let evidence = ConsentEvidence(
            method: "withdrawal-page", actor: "subject", language: request.shownLanguage?.tag)
        guard var answers = try await answers(subject) else { return await page(of: subject, []) }
        let purposes = answers.purposes(of: named)
        let alsoOpens = named == nil && subject.purposes.shared == .tracking
        let withdrawals = try await recording.withdraw(
            subject.recipient, for: purposes, alsoOpens: alsoOpens, evidence: evidence,
            in: subject.organization.id, at: now())
        var made: [ConsentRecord] = []
        for withdrawal in withdrawals {
            switch withdrawal {
            case .recorded(let record): made.append(record)
            case .hadEnded: break
            case .noRecipient: return await page(of: subject, [])
            }
        }
        answers.end(purposes + (alsoOpens ? [.openTracking] : []))
        return await page(of: subject, answers.entries, receipts: receipts.offer(of: made, at: now()))
    }

    /// - Returns: `nil` if the recipient was erased.
    private func answers(_ subject: Subject) async throws -> WithdrawalAnswers? {
        let instant = now()
        let statuses = try await consent.statuses(
            of: WithdrawalAnswers.purposes(of: subject.purposes).map {
                ReferenceQuestion(reference: subject.recipient, purpose: $0, instant: instant)
            })
        let policy = ConsentPolicy(enforcement: subject.organization.enforcement)
        return WithdrawalAnswers(statuses, to: subject.purposes, policy, at: instant)
    }

    private func answer(
        _ request: Request, _ context: BasicRequestContext,
        _ act: (Subject, Request) async throws -> WithdrawalPage
    ) async throws -> Response {
        do {
            guard let subject = try await subject(of: request.uri.path) else {
                return RefusalResponse(.linkNotFound).response(to: request)
            }
            return try await act(subject, request).page(in: request.pageLanguage).response()
        } catch {
            context.logger.report(error, answeredWith: Problem(describing: error))
            return RefusalResponse(.pageUnavailable).response(to: request)
        }
    }

    /// - Returns: `nil` if the tracking ID is not genuine. Only one spelling of it opens, as in a link.
    private func subject(of path: String) async throws -> Subject? {
        let token = PublicPath.withdrawal.rest(of: path)
        guard let id = try opener.open({ $0.open(token) }),
            let message = try await directory.find(id.message),
            let organization = try await organizations.organization(message.organization)
        else { return nil }
        return Subject(recipient: id.recipient, purposes: message.purposes, organization: organization)
    }
}
