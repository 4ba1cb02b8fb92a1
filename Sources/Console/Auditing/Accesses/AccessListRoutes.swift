import Consent
import HTTPTypes
import Identifiers
import Ledger
import Organizations
import Pages
import UseCases

/// The looks at people: who looked, when, and why. The list does not name the people: a page shows whom a look was
/// about only for a reason, and that is a look, too.
struct AccessListRoutes {
    private static let area = "access"
    private static let pageSize = 50
    /// How much of a reason the list shows, in characters. The page of the look has all of it.
    private static let shownReason = 200
    /// The most looks that are read of one millisecond.
    private static let maximumBatchSize = 1000

    let accesses: PersonAccess
    let keys: any APIKeyStore

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/access", .roles([.auditor]), list),
            .page("/orgs/{org}/access/{look}", .roles([.auditor]), show),
            .form("/orgs/{org}/access/{look}", .roles([.auditor]), isDiscreet: true, reveal),
            .page("/orgs/{org}/access/of/{case}", .roles([.auditor]), ofPerson),
        ]
    }

    private struct ListView {
        let texts: AccessListTexts
        let action: String
        let failure: FieldFailure?
        let invalid: [String: Bool]
        let who: String
        let from: String
        let to: String
        let table: String?
        let older: String?
        let newest: String?
        let person: Person?

        struct Person {
            let recipient: String
            let reason: String
            let back: String
        }
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleResponse {
        do {
            let days = try call.queryDays()
            let query = AccessQuery(
                who: try call.queryValue("who") { text throws(AccessTextError) in try AccessorName(text) },
                from: days.from, to: days.to, before: try call.queryID("before"))
            return .page(page(try await found(query, call), nil, nil, call))
        } catch ConsoleRefusal.unfit(let field, let fault) {
            let failure = FieldFailure(field, fault, AccessListTexts.all[call.language].fields, call.language)
            var refused = page(nil, nil, failure, call)
            refused.status = .unprocessableContent
            return .page(refused)
        }
    }

    /// The looks of one page, and the labels of their accessors.
    private struct Found {
        let looks: [AccessEntry]
        let hasMore: Bool
        let labels: AccessorLabels
    }

    private func found(_ query: AccessQuery, _ call: ConsoleCall) async throws -> Found {
        let organization = try call.requiredOrganization.id
        let looks = try await accesses.list(query, limit: Self.pageSize + 1, organization: organization)
        return Found(
            looks: Array(looks.prefix(Self.pageSize)), hasMore: looks.count > Self.pageSize,
            labels: AccessorLabels(try await keys.keys(of: organization)))
    }

    /// - Parameter found: `nil` if the query is invalid.
    private func page(
        _ found: Found?, _ person: PersonCase?, _ failure: FieldFailure?, _ call: ConsoleCall
    ) -> ConsolePage {
        let texts = AccessListTexts.all[call.language]
        let filters = call.queryMembers(["who", "from", "to"])
        let view = ListView(
            texts: texts, action: call.path, failure: failure, invalid: failure.invalid,
            who: (call.query("who") ?? "").escapedForHTML.text,
            from: call.query("from") ?? "", to: call.query("to") ?? "",
            table: found.map { found in
                table(found.looks, shownWith: found.labels, call, texts).html(call.format).text
            },
            older: found?.hasMore == true
                ? found?.looks.last.map { call.address(adding: [("before", $0.id.description)]) } : nil,
            newest: call.query("before") == nil ? nil : ConsoleCall.address(call.path, filters),
            person: person.map { person in
                ListView.Person(
                    recipient: person.recipient.text, reason: person.reason.text, back: call.path(Self.area))
            })
        return ConsolePage(
            area: .access, title: person == nil ? texts.title : texts.ofPerson,
            lead: person == nil ? texts.lead : texts.ofPersonLead, content: Templates.render("looks", view),
            tables: found.map { found in [table(found.looks, shownWith: nil, call, texts)] } ?? [])
    }

    /// - Parameter labels: the labels of accessors, for the page; `nil` for its files.
    private func table(
        _ looks: [AccessEntry], shownWith labels: AccessorLabels?, _ call: ConsoleCall, _ texts: AccessListTexts
    ) -> ConsoleTable {
        ConsoleTable(
            name: "looks", caption: texts.caption,
            columns: [
                .init("accessedAt", texts.time), .init("who", texts.who), .init("what", texts.what),
                .init("reason", texts.reason), .init("id", "ID"),
            ],
            rows: looks.map { look -> [ConsoleTable.Cell] in
                let reason = look.reason.map { labels == nil ? $0.text : $0.text.shortened(to: Self.shownReason) }
                return [
                    .time(look.accessedAt), .code(labels?.label(of: look.who) ?? look.who.description),
                    .state(texts.looked(look.what), code: look.what.rawValue, tone: .neutral),
                    reason.map { .text($0) } ?? .none,
                    .link(look.id.description, path: call.path("\(Self.area)/\(look.id)")),
                ]
            }, whenEmpty: texts.empty)
    }

    private func look(_ call: ConsoleCall) async throws -> AccessEntry {
        let id = try call.id("look", as: AccessID.self)
        let time = id.number.timestamp
        let found = try await accesses.list(
            AccessQuery(from: time, to: time.advanced(byMilliseconds: 1)), limit: Self.maximumBatchSize,
            organization: call.requiredOrganization.id)
        guard let look = found.first(where: { $0.id == id }) else { throw ConsoleRefusal.notFound }
        return look
    }

    private struct View {
        let texts: AccessListTexts
        let time: String
        let who: String
        let what: String
        let reason: String
        let isOfNobody: Bool
        let failure: FieldFailure?
        let invalid: [String: Bool]
        let action: String
        let token: String
        let longestReason: Int
        let back: String
    }

    /// An invalid input is not shown again: no address contains it.
    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        var (failure, status): (FieldFailure?, HTTPResponse.Status) = (nil, .ok)
        if call.said("ledger") == ["closed"] {
            // No field is wrong: the look cannot be recorded, so nothing is shown.
            failure = FieldFailure("", PersonTexts.all[call.language].ledgerClosed.text)
            status = .serviceUnavailable
        } else if let misfit = call.query("unfit").flatMap(AccessForm.Misfit.init), misfit.field == "reason" {
            failure = FieldFailure(misfit.field, misfit.fault, AccessListTexts.all[call.language].fields, call.language)
            status = .unprocessableContent
        }
        var page = try await page(of: call, failure: failure)
        page.status = status
        return .page(page)
    }

    private func page(of call: ConsoleCall, failure: FieldFailure?) async throws -> ConsolePage {
        let texts = AccessListTexts.all[call.language]
        let look = try await look(call)
        let labels = AccessorLabels(try await keys.keys(of: call.requiredOrganization.id))
        let view = View(
            texts: texts, time: call.format.second(look.accessedAt), who: labels.label(of: look.who),
            what: texts.looked(look.what), reason: look.reason?.text ?? texts.noReason,
            isOfNobody: look.recipient == nil, failure: failure, invalid: failure.invalid, action: call.path,
            token: try call.formToken(for: call.path), longestReason: AccessReason.maximumLength,
            back: call.path(Self.area))
        return ConsolePage(
            area: .access, title: texts.one, lead: texts.oneLead, content: Templates.render("look", view))
    }

    @Sendable private func reveal(_ call: ConsoleCall) async throws -> ConsoleResponse {
        guard let recipient = try await look(call).recipient else { throw ConsoleRefusal.notFound }
        do {
            let (opened, cookies) = try await PersonCase.open(
                .looks, of: recipient, because: AccessForm(call.form).reason, accesses, call)
            return .with(cookies, .redirect(to: call.path("\(Self.area)/of/\(opened.id)")))
        } catch is LedgerInconsistency {
            return .redirect(to: try call.address(of: call.path, saying: [("ledger", "closed")]))
        } catch ConsoleRefusal.unfit(let field, let fault) {
            let misfit = AccessForm.Misfit(field: field, fault: fault)
            return .redirect(to: ConsoleCall.address(call.path, [("unfit", misfit.text)]))
        }
    }

    @Sendable private func ofPerson(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let person = try PersonCase.opened(.looks, call)
        var entry: AccessEntry?
        if call.wantsFile {
            try call.requireOwnSite()
            entry = try await person.record(.accesses, accesses, call)
        }
        let found = try await found(AccessQuery(recipient: person.recipient, before: call.queryID("before")), call)
        let cookies = try await person.recordAgain(if: !found.looks.isEmpty, after: entry, accesses, call)
        let page = page(found, person, nil, call)
        return cookies.isEmpty ? .page(page) : .with(cookies, .page(page))
    }
}
