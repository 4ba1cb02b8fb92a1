import Consent
import HTTPTypes
import Identifiers
import Ledger
import Organizations
import UseCases

/// Looks up a person, and shows their timeline.
struct PersonRoutes {
    static let area = "person"
    static let casePath = "/orgs/{org}/person/{case}"

    let accesses: PersonAccess
    let page: PersonPage

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/person", .roles([.auditor]), ask),
            .form("/orgs/{org}/person", .roles([.auditor]), isDiscreet: true, look),
            .page(Self.casePath, .roles([.auditor]), work: .heavy, show),
        ]
    }

    private struct FormView {
        let texts: PersonTexts
        let action: String
        let token: String
        let notice: String?
        let failure: FieldFailure?
        let invalid: [String: Bool]
        let longestReason: Int
    }

    /// An invalid input is not shown again: no address contains it.
    @Sendable private func ask(_ call: ConsoleCall) async throws -> ConsoleResponse {
        if call.said("ledger") == ["closed"] { return try Self.ledgerClosed(call) }
        guard let misfit = call.query("unfit").flatMap(AccessForm.Misfit.init) else {
            return .page(try Self.form(call))
        }
        let names = PersonTexts.all[call.language].fields
        var page = try Self.form(call, failure: FieldFailure(misfit.field, misfit.fault, names, call.language))
        page.status = .unprocessableContent
        return .page(page)
    }

    /// - Parameters:
    ///   - notice: why the form is shown in place of another page.
    ///   - failure: the invalid field of the last input.
    private static func form(
        _ call: ConsoleCall, notice: RefusalTexts.Words? = nil, failure: FieldFailure? = nil
    ) throws -> ConsolePage {
        let texts = PersonTexts.all[call.language]
        let action = call.path(area)
        return ConsolePage(
            area: .person, title: notice?.title ?? texts.title, lead: texts.lead,
            content: Templates.render(
                "person",
                FormView(
                    texts: texts, action: action, token: try call.formToken(for: action), notice: notice?.text,
                    failure: failure, invalid: failure.invalid, longestReason: AccessReason.maximumLength)))
    }

    /// If no look can be recorded, nothing is shown.
    private static func ledgerClosed(_ call: ConsoleCall) throws -> ConsoleResponse {
        var page = try form(call, notice: PersonTexts.all[call.language].ledgerClosed)
        page.status = .serviceUnavailable
        return .page(page)
    }

    /// Nothing is shown before the look is recorded. The result has an address of its own, which does not name the
    /// person.
    @Sendable private func look(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let form = AccessForm(call.form)
        do {
            let (recipient, reason, day) = (try form.recipient, try form.reason, try form.day)
            let (opened, cookies) = try await PersonCase.open(
                .timeline, of: recipient, because: reason, accesses, call)
            let path = call.path("\(Self.area)/\(opened.id)")
            return .with(cookies, .redirect(to: ConsoleCall.address(path, day.map { [("day", $0)] } ?? [])))
        } catch is LedgerInconsistency {
            return .redirect(to: try call.address(of: call.path(Self.area), saying: [("ledger", "closed")]))
        } catch ConsoleRefusal.unfit(let field, let fault) {
            let misfit = AccessForm.Misfit(field: field, fault: fault)
            return .redirect(to: ConsoleCall.address(call.path(Self.area), [("unfit", misfit.text)]))
        }
    }

    /// The answer of a case, or, if it is not open, the form to look up the person again.
    static func inCase(
        _ call: ConsoleCall, _ answer: (PersonCase) async throws -> ConsoleResponse
    ) async throws -> ConsoleResponse {
        do {
            return try await answer(try PersonCase.opened(.timeline, call))
        } catch ConsoleRefusal.caseClosed {
            var page = try form(call, notice: RefusalTexts.all[call.language].caseClosed)
            page.status = ConsoleRefusal.caseClosed.status
            return .page(page)
        } catch is LedgerInconsistency {
            return try ledgerClosed(call)
        }
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        try await Self.inCase(call) { try await page.answer(of: $0, call) }
    }
}
