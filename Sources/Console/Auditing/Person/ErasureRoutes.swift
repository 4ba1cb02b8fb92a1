import Consent
import HTTPTypes
import Identifiers
import Organizations
import UseCases

/// Erases the person whose page is open. Only a manager may, who has proved a short while ago who they are.
struct ErasureRoutes {
    let recording: ConsentRecording
    let page: PersonPage

    var routes: [ConsoleRoute] {
        [
            .form("\(PersonRoutes.casePath)/erase", .roles([.manager]), gravity: .grave, erase),
            // Where the page of an answer is asked for again, such as in the other language.
            .page("\(PersonRoutes.casePath)/erase", .roles([.manager])) { call in
                .redirect(to: call.path(PersonRoutes.area))
            },
        ]
    }

    private struct View {
        let texts: PersonTexts
        let consents: String
        let decisions: String
        let interactions: String
        let again: String
    }

    @Sendable private func erase(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        try await PersonRoutes.inCase(call) { person in
            let texts = PersonTexts.all[call.language]
            guard let typed = try? RecipientID(call.form["recipient"]), typed == person.recipient else {
                // An auditor opened the case; roles may have been taken away since.
                guard try call.account.has([.auditor], in: call.requiredOrganization.id) else {
                    throw ConsoleRefusal.notAllowed
                }
                return try await page.answer(
                    of: person, call, failedErasure: FieldFailure("recipient", texts.eraseMismatch))
            }
            let erasure = try await recording.erase(person.recipient, in: call.requiredOrganization.id)
            call.log("recipient.erase")
            let format = call.format
            let view = View(
                texts: texts, consents: format.integer(erasure.consents), decisions: format.integer(erasure.decisions),
                interactions: format.integer(erasure.interactions), again: call.path(PersonRoutes.area))
            let page = ConsolePage(
                area: .person, title: texts.erasedTitle, lead: texts.erasedLead,
                content: Templates.render("person-erased", view))
            return .with([person.closing(call)], .page(page))
        }
    }
}
