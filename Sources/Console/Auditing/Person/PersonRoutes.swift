import Consent
import HTTPTypes
import Identifiers
import Ledger
import Organizations
import Redirect
import UseCases

/// Looks a person up, and shows what happened to them.
struct PersonRoutes {
    static let area = "person"
    static let casePath = "/orgs/{org}/person/{case}"
    private static let pageSize = 50

    let stores: Stores
    let useCases: AuditingUseCases

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/person", .roles([.auditor]), ask),
            .form("/orgs/{org}/person", .roles([.auditor]), look),
            .page(Self.casePath, .roles([.auditor]), show),
        ]
    }

    private struct FormView {
        let texts: PersonTexts
        let action: String
        let token: String
        let notice: String?
        let failure: String?
        let recipient: String
        let reason: String
        let day: String
        let longestReason: Int
    }

    @Sendable private func ask(_ call: ConsoleCall) async throws -> ConsoleAnswer { .page(try Self.form(call)) }

    /// - Parameters:
    ///   - notice: why it is shown in the place of another page.
    ///   - typed: what was typed before, and what does not fit of it.
    static func form(
        _ call: ConsoleCall, notice: RefusalTexts.Words? = nil, typed: (LookForm, failure: String)? = nil
    ) throws -> ConsolePage {
        let texts = PersonTexts.all[call.language]
        let action = call.path(area)
        return ConsolePage(
            area: .person, title: notice?.title ?? texts.title, lead: texts.lead,
            content: Templates.render(
                "person",
                FormView(
                    texts: texts, action: action, token: try call.formToken(for: action), notice: notice?.text,
                    failure: typed?.failure, recipient: typed?.0.typedRecipient ?? "",
                    reason: typed?.0.typedReason ?? "", day: typed?.0.typedDay ?? "",
                    longestReason: AccessReason.maximumLength)))
    }

    /// Nothing is shown before the look is recorded; what is shown has an address of its own, without the person.
    @Sendable private func look(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let form = LookForm(call.form)
        do {
            let (recipient, reason, day) = (try form.recipient, try form.reason, try form.day)
            let (opened, cookies) = try await PersonCase.open(
                .timeline, of: recipient, because: reason, useCases.accesses, call)
            let path = call.path("\(Self.area)/\(opened.id)")
            return .with(cookies, .redirect(to: ConsoleCall.address(path, day.map { [("day", $0)] } ?? [])))
        } catch is LedgerInconsistency {
            var page = try Self.form(call, notice: PersonTexts.all[call.language].ledgerClosed)
            page.status = .serviceUnavailable
            return .page(page)
        } catch ConsoleRefusal.unfit(let field, let fault) {
            let texts = PersonTexts.all[call.language]
            let name = [texts.recipient, texts.reason, texts.day][["recipient", "reason"].firstIndex(of: field) ?? 2]
            var page = try Self.form(
                call, typed: (form, RefusalTexts.all[call.language].unfit(name, fault).text))
            page.status = .unprocessableContent
            return .page(page)
        }
    }

    /// The answer of a case, or, where it is not open, the form to look the person up again.
    static func inCase(
        _ call: ConsoleCall, _ answer: (PersonCase) async throws -> ConsoleAnswer
    ) async throws -> ConsoleAnswer {
        let opened: PersonCase
        do { opened = try PersonCase.opened(.timeline, call) } catch ConsoleRefusal.caseClosed {
            var page = try form(call, notice: RefusalTexts.all[call.language].caseClosed)
            page.status = ConsoleRefusal.caseClosed.status
            return .page(page)
        }
        return try await answer(opened)
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        try await Self.inCase(call) { try await page(of: $0, call) }
    }

    private struct View {
        let texts: PersonTexts
        let recipient: String
        let reason: String
        let notices: [String]
        let action: String
        let day: String
        let allDays: String?
        let rows: [TimelineRow]
        let hasProofs: Bool
        let newer: String?
        let older: String?
        let export: String
        let lookAgain: String
        let erase: Erase?

        struct Erase {
            let action: String
            let token: String
            let back: String
        }
    }

    private func page(of person: PersonCase, _ call: ConsoleCall) async throws -> ConsoleAnswer {
        let texts = PersonTexts.all[call.language]
        let (organization, day) = (try call.requiredOrganization, try call.queryDayRange("day"))
        await useCases.drain.catchUp()
        let records = try await PersonRecords.read(
            of: person.recipient, on: day, stores, useCases.interactions, in: organization.id, at: call.now)
        let events = TimelineEvent.timeline(records, on: day)
        let first = (try call.queryValue("page", Self.pageNumber) ?? 1) - 1
        let (start, end) = (min(first * Self.pageSize, events.count), min((first + 1) * Self.pageSize, events.count))
        let path = call.path("\(Self.area)/\(person.id)")
        let makers = TimelineRows(call, path: path)
        let rows = events[start..<end].map(makers.row)
        let canErase = try call.account.has([.manager], in: organization.id) && !records.isEmpty
        let erasePath = "\(path)/erase"
        let view = View(
            texts: texts, recipient: person.recipient.text, reason: person.reason.text,
            notices: notices(records, isOfDay: day != nil, isEmpty: events.isEmpty, texts), action: path,
            day: call.query("day") ?? "", allDays: day == nil ? nil : path, rows: rows,
            hasProofs: rows.contains { !$0.files.isEmpty },
            newer: first > 0 ? call.address(adding: [("page", String(first))]) : nil,
            older: end < events.count ? call.address(adding: [("page", String(first + 2))]) : nil,
            export: "\(path)/export", lookAgain: call.path(Self.area),
            erase: canErase
                ? View.Erase(action: erasePath, token: try call.formToken(for: erasePath), back: path) : nil)
        return .page(
            ConsolePage(
                area: .person, title: texts.caseTitle, lead: texts.caseLead,
                content: Templates.render("person-case", view),
                tables: [table(events.map(makers.row), texts)]))
    }

    private func notices(_ records: PersonRecords, isOfDay: Bool, isEmpty: Bool, _ texts: PersonTexts) -> [String] {
        let none = isOfDay ? texts.nothingThatDay : texts.nothing
        return [
            records.isErased ? texts.erased : nil, records.isCut ? texts.cut : nil,
            isEmpty && !(records.isErased && !isOfDay) ? none : nil,
        ].compactMap { $0 }
    }

    private static func pageNumber(_ text: String) throws(PageNumberError) -> Int {
        guard let number = Int(text), (1...1000).contains(number) else { throw PageNumberError() }
        return number
    }

    private struct PageNumberError: Error {}

    private func table(_ rows: [TimelineRow], _ texts: PersonTexts) -> ConsoleTable {
        ConsoleTable(
            name: "timeline", caption: texts.caption,
            columns: [
                .init("at", texts.time), .init("kind", texts.what), .init("id", "ID"), .init("what", texts.caption),
                .init("why", texts.why),
            ],
            rows: rows.map { row in
                [
                    .code(row.instant), .text(row.code), .code(row.id), .text(row.headline),
                    row.sentence.map { .text($0) } ?? .none,
                ]
            })
    }
}
