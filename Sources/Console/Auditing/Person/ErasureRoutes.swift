import Consent
import HTTPAPI
import HTTPTypes
import Hummingbird
import Identifiers
import Ledger
import Logging
import Organizations
import Pages
import UseCases

/// Erases the person whose page is open. Only a manager may, who has recently proved who they are.
struct ErasureRoutes {
    let recording: ConsentRecording

    var routes: [ConsoleRoute] {
        [
            .form("\(PersonRoutes.casePath)/erase", .roles([.manager]), gravity: .grave, isDiscreet: true, erase),
            .page("\(PersonRoutes.casePath)/erase", .roles([.manager]), show),
        ]
    }

    private struct View {
        let texts: PersonTexts
        let facts: String
        let again: String
    }

    @Sendable private func erase(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let person = try PersonCase.opened(.timeline, call)
        guard let typed = try? RecipientID(call.form.exact("recipient")), typed == person.recipient else {
            return .redirect(to: try FailedErasure.mistyped.address(of: person, call))
        }
        let erasure: ErasureCounts
        do {
            erasure = try await recording.erase(person.recipient, in: call.requiredOrganization.id) { log($0, call) }
        } catch is LedgerInconsistency {
            throw ConsoleRefusal.unavailable
        } catch let failure as UnclearedErasure {
            _ = AnsweredError.status(of: failure, reportingTo: call.context.logger)
            return .redirect(to: try FailedErasure.uncleared.address(of: person, call))
        }
        let numbers = [
            ("consents", erasure.consents), ("decisions", erasure.decisions), ("interactions", erasure.interactions),
        ]
        let address = try call.address(of: call.path, saying: numbers.map { ($0.0, String($0.1)) })
        return .with([person.closing(call)], .redirect(to: address))
    }

    private func log(_ erasure: ErasureCounts, _ call: ConsoleCall) {
        call.log(
            "recipient.erase",
            details: [
                "consents": "\(erasure.consents)", "decisions": "\(erasure.decisions)",
                "interactions": "\(erasure.interactions)",
            ])
    }

    /// The result of an erasure, from the numbers in the address, which are authenticated: no record of it is left.
    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        guard let numbers = call.said("consents", "decisions", "interactions")?.compactMap({ Int($0) }),
            numbers.count == 3
        else { return .redirect(to: call.path(PersonRoutes.area)) }
        let (texts, format) = (PersonTexts.all[call.language], call.format)
        let facts = Facts(facts: [
            Facts.Fact(texts.erasedConsents, format.integer(numbers[0])),
            Facts.Fact(texts.erasedDecisions, format.integer(numbers[1])),
            Facts.Fact(texts.erasedInteractions, format.integer(numbers[2])),
        ])
        let view = View(texts: texts, facts: facts.html.text, again: call.path(PersonRoutes.area))
        // No row named the person any more: only the files were cleared.
        let lead = numbers.contains { $0 > 0 } ? texts.erasedLead : texts.erasedAlready
        return .page(
            ConsolePage(
                area: .person, title: texts.erasedTitle, lead: lead,
                content: Templates.render("person-erased", view)))
    }
}
