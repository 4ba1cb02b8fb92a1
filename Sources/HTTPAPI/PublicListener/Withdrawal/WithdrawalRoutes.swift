import Consent
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import NIOCore
import Organizations
import Pages
import Redirect
import TrackingIDs
import UseCases

/// The page on which a recipient sees whether they are tracked, and ends it: `/p/{trackingId}`.
///
/// The address is all that is needed, as it is for the link: only who got the message has it. Looking changes nothing,
/// however often a gateway or a browser looks ahead. Neither the age of a link nor a message that was switched off keeps
/// anybody from withdrawing. Where a message has a purpose for its clicks and one for its opens, each is withdrawn by
/// itself or both at once.
struct WithdrawalRoutes {
    private static let prefix = "/p/"

    let gate: SharedTrackingIDOpener
    let directory: LinkDirectory
    let organizations: any OrganizationDirectory
    let consent: any ConsentLookup
    let recording: ConsentRecording
    let receipts: SharedReceiptTokens
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

    /// Records the withdrawal of what the form names, all of it or nothing. What else the page shows is read first:
    /// nothing is recorded by a request that is answered with an outage while it is read.
    private func withdraw(_ subject: Subject, _ request: Request) async throws -> WithdrawalPage {
        let named = subject.purposes.shared == nil ? try await WithdrawalForm.parts(of: request) : nil
        let evidence = ConsentEvidence(
            method: "withdrawal-page", actor: "subject", language: request.shownLanguage?.tag)
        var entries = try await entries(subject)
        var made: [ConsentRecord] = []
        let chosen = entries.indices.filter { named?.contains(entries[$0].part) ?? true }
        if !chosen.isEmpty {
            let withdrawals = try await recording.withdraw(
                subject.recipient, for: chosen.map { entries[$0].purpose }, evidence: evidence,
                in: subject.organization.id, at: now())
            for (index, withdrawal) in zip(chosen, withdrawals) {
                if case .recorded(let record) = withdrawal { made.append(record) }
                switch withdrawal {
                case .recorded, .hadEnded: entries[index].state = .ended
                case .nobody: return WithdrawalPage(sender: subject.organization.name, entries: [])
                }
            }
        }
        return WithdrawalPage(
            sender: subject.organization.name, entries: entries, receipts: receipts.offer(of: made, at: now()))
    }

    /// - Returns: none for a recipient who was erased.
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
                return RefusalAnswer(.linkNotFound).response(to: request)
            }
            return try await act(subject, request).page(in: request.pageLanguage).response()
        } catch {
            context.logger.report(error, answeredWith: Problem(describing: error))
            return RefusalAnswer(.pageUnavailable).response(to: request)
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
        return Subject(recipient: id.recipient, purposes: message.purposes, organization: organization)
    }
}
