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
/// message was disabled. If a message has separate purposes for clicks and opens, the recipient withdraws either of
/// them, or both at once.
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

        var parts: [(part: WithdrawalPage.Part, purpose: Purpose)] {
            if let purpose = purposes.shared { return [(.everything, purpose)] }
            return [(.clicks, purposes.clicks), (.opens, purposes.opens)]
        }
    }

    private func show(_ subject: Subject, _: Request) async throws -> WithdrawalPage {
        WithdrawalPage(sender: subject.organization.name, entries: try await entries(subject))
    }

    /// Records the withdrawal of the named parts, all of them or nothing. A page about `tracking` speaks of links and
    /// opens, so a no on it is about `open-tracking`, too. Everything else on the page is read first: if
    /// that read fails, the request is answered with an outage and records nothing.
    private func withdraw(_ subject: Subject, _ request: Request) async throws -> WithdrawalPage {
        let named = subject.purposes.shared == nil ? try await WithdrawalForm.parts(of: request) : nil
        let evidence = ConsentEvidence(
            method: "withdrawal-page", actor: "subject", language: request.shownLanguage?.tag)
        var entries = try await entries(subject)
        var made: [ConsentRecord] = []
        let chosen = entries.indices.filter { named?.contains(entries[$0].part) ?? true }
        if !chosen.isEmpty {
            let withdrawals = try await recording.withdraw(
                subject.recipient, for: chosen.map { entries[$0].purpose },
                alsoOpens: subject.purposes.shared == .tracking, evidence: evidence, in: subject.organization.id,
                at: now())
            for case .recorded(let record) in withdrawals { made.append(record) }
            for (index, withdrawal) in zip(chosen, withdrawals) {
                switch withdrawal {
                case .recorded, .hadEnded: entries[index].state = .ended
                case .noRecipient: return WithdrawalPage(sender: subject.organization.name, entries: [])
                }
            }
        }
        return WithdrawalPage(
            sender: subject.organization.name, entries: entries, receipts: receipts.offer(of: made, at: now()))
    }

    /// - Returns: an empty array if the recipient was erased.
    private func entries(_ subject: Subject) async throws -> [WithdrawalPage.Entry] {
        let (instant, parts) = (now(), subject.parts)
        let statuses = try await consent.statuses(
            of: parts.map { ReferenceQuestion(reference: subject.recipient, purpose: $0.purpose, instant: instant) })
        let policy = ConsentPolicy(enforcement: subject.organization.enforcement)
        let entries = zip(parts, statuses).compactMap { part, status in
            WithdrawalPage.State(status, policy, at: instant).map {
                WithdrawalPage.Entry(part: part.part, purpose: part.purpose, state: $0)
            }
        }
        return entries.count == parts.count ? entries : []
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

    /// - Returns: `nil` if the tracking ID is not genuine. It opens in one spelling alone, as in a link.
    private func subject(of path: String) async throws -> Subject? {
        let token = PublicPath.withdrawal.rest(of: path)
        guard let id = try opener.open({ $0.open(token) }),
            let message = try await directory.find(id.message),
            let organization = try await organizations.organization(message.organization)
        else { return nil }
        return Subject(recipient: id.recipient, purposes: message.purposes, organization: organization)
    }
}
