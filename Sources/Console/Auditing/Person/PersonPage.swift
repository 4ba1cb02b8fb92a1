import Consent
import HTTPTypes
import Identifiers
import Organizations
import Redirect
import UseCases

/// The timeline of a person whose case is open: one page of it, or all of it as a file.
struct PersonPage: Sendable {
    private static let maximumPageCount = 10_000

    let stores: Stores
    let useCases: AuditingUseCases

    private struct View {
        let texts: PersonTexts
        let recipient: String
        let reason: String
        let failure: FieldFailure?
        let invalid: [String: Bool]
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
            let title: String
            let text: String
            let button: String
            let action: String
            let token: String
            let back: String
            let failedErasure: String?
            let isMistyped: Bool
        }
    }

    /// The part of the timeline that the query selects.
    private struct Asked {
        var day: Range<Timestamp>?
        /// The day as the query writes it.
        var dayText: String?
        var page: Int?
        var record: ConsentRecordID?

        /// - Throws: ``ConsoleRefusal/unfit(field:_:)``
        init(_ call: ConsoleCall) throws {
            day = try call.queryDayRange("day")
            dayText = call.query("day")
            page = try call.queryValue("page", PersonPage.pageNumber)
            record = try call.queryID("consent")
        }

        init() {}
    }

    func answer(of person: PersonCase, _ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = PersonTexts.all[call.language]
        var (asked, failure): (Asked, FieldFailure?) = (Asked(), nil)
        do { asked = try Asked(call) } catch ConsoleRefusal.unfit(let field, let fault) {
            failure = FieldFailure(field, fault, texts.fields, call.language)
        }
        var entry: AccessEntry?
        if call.wantsFile {
            try call.requireOwnSite()
            // A file contains the whole timeline, and may be kept, so it is a look of its own.
            entry = try await person.record(.timeline, useCases.accesses, call)
        }
        await useCases.drain.catchUp()
        let records = try await PersonRecords.read(
            of: person.recipient, on: asked.day, stores, useCases.interactions, in: call.requiredOrganization.id,
            at: call.now)
        let cookies = try await person.recordAgain(if: !records.isEmpty, after: entry, useCases.accesses, call)
        let failedErasure = FailedErasure(call, isErased: records.isErased)
        var page = try await page(of: person, records, asked, failure, failedErasure, call)
        if let failedErasure { page.status = failedErasure.status }
        if failure != nil { page.status = .unprocessableContent }
        return cookies.isEmpty ? .page(page) : .with(cookies, .page(page))
    }

    private func page(
        of person: PersonCase, _ records: PersonRecords, _ asked: Asked, _ failure: FieldFailure?,
        _ failedErasure: FailedErasure?, _ call: ConsoleCall
    ) async throws -> ConsolePage {
        let texts = PersonTexts.all[call.language]
        let events = TimelineEvent.timeline(records, on: asked.day)
        let path = call.path("\(PersonRoutes.area)/\(person.id)")
        let part = TimelinePart(
            of: events, path: path, day: asked.dayText, number: asked.page, record: asked.record)
        let shown = try await withEvidence(part.shown, in: call.requiredOrganization.id)
        let rows = shown.map(TimelineRows(call, path: path, part: part).row)
        let view = View(
            texts: texts, recipient: person.recipient.text, reason: person.reason.text, failure: failure,
            invalid: failure.invalid,
            notices: notices(records, isOfDay: asked.day != nil, isEmpty: events.isEmpty, texts), action: path,
            day: call.query("day") ?? "", allDays: asked.day == nil ? nil : path, rows: rows,
            hasProofs: rows.contains { !$0.files.isEmpty }, newer: part.newer, older: part.older,
            export: "\(path)/export", lookAgain: call.path(PersonRoutes.area),
            erase: try erase(records, path, failedErasure, call))
        // The page only links to its files, and needs none of their rows.
        let saved = call.wantsFile ? events.map(TimelineRows(call, path: path, part: nil).row) : []
        return ConsolePage(
            area: .person, title: texts.caseTitle, lead: texts.caseLead,
            content: Templates.render("person-case", view), tables: [table(saved, texts)])
    }

    /// The events, with the evidence of their consent records.
    private func withEvidence(
        _ events: ArraySlice<TimelineEvent>, in organization: OrganizationID
    ) async throws -> [TimelineEvent] {
        let ids = events.compactMap { event -> ConsentRecordID? in
            guard case .consent(let record) = event.content else { return nil }
            return record.id
        }
        let found = try await stores.consent.records(ids, in: organization)
        let whole = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return events.map { event in
            guard case .consent(let record) = event.content, let found = whole[record.id] else { return event }
            return TimelineEvent(at: event.at, content: .consent(found))
        }
    }

    /// The form that erases the person, or clears the files again if the person is erased; `nil` if the account may not
    /// erase, and if there is nothing to erase.
    private func erase(
        _ records: PersonRecords, _ path: String, _ failure: FailedErasure?, _ call: ConsoleCall
    ) throws -> View.Erase? {
        guard try call.account.has([.manager], in: call.requiredOrganization.id),
            !records.isEmpty || records.isErased
        else { return nil }
        let (texts, action) = (PersonTexts.all[call.language], "\(path)/erase")
        let isCleared = records.isEmpty
        return View.Erase(
            title: isCleared ? texts.clearTitle : texts.eraseTitle,
            text: isCleared ? texts.clearText : texts.eraseText,
            button: isCleared ? texts.clearButton : texts.eraseButton,
            action: action, token: try call.formToken(for: action), back: path,
            failedErasure: failure?.text(texts), isMistyped: failure == .mistyped)
    }

    private func notices(_ records: PersonRecords, isOfDay: Bool, isEmpty: Bool, _ texts: PersonTexts) -> [String] {
        let none = isOfDay ? texts.nothingThatDay : texts.nothing
        return [
            records.isErased ? texts.erased : nil, records.isCut ? texts.cut : nil,
            isEmpty && !(records.isErased && !isOfDay) ? none : nil,
        ].compactMap { $0 }
    }

    private static func pageNumber(_ text: String) throws(PageNumberError) -> Int {
        guard let number = Int(text), (1...maximumPageCount).contains(number) else { throw PageNumberError() }
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
