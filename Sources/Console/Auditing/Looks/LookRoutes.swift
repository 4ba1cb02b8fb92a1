import Consent
import HTTPTypes
import Identifiers
import Organizations
import Pages
import UseCases

/// Who looked at people, when, and why. The list does not name the people: whom a look was about is shown for a reason, and
/// that is a look too.
struct LookRoutes {
    private static let area = "access"
    private static let pageSize = 50
    /// Looks in one millisecond.
    private static let mostAtOnce = 1000

    let accesses: PersonAccess

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/access", .roles([.auditor]), list),
            .page("/orgs/{org}/access/{look}", .roles([.auditor])) { call in
                .page(try await page(of: call, failure: nil))
            },
            .form("/orgs/{org}/access/{look}", .roles([.auditor]), reveal),
            .page("/orgs/{org}/access/of/{case}", .roles([.auditor]), ofPerson),
        ]
    }

    private struct ListView {
        let texts: LookTexts
        let action: String
        let who: String
        let from: String
        let to: String
        let table: String
        let older: String?
        let newest: String?
        let person: Person?

        struct Person {
            let recipient: String
            let reason: String
            let back: String
        }
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let query = AccessQuery(
            who: try call.queryValue("who") { text throws(AccessTextError) in try AccessorName(text) },
            from: try call.queryDay("from"), to: try call.queryDay("to"), before: try before(call))
        return .page(try await page(query, nil, call))
    }

    private func before(_ call: ConsoleCall) throws -> AccessID? {
        try call.queryValue("before") { text throws(IdentifierError) in try AccessID(text) }
    }

    private func page(_ query: AccessQuery, _ person: PersonCase?, _ call: ConsoleCall) async throws -> ConsolePage {
        let texts = LookTexts.all[call.language]
        let found = try await accesses.list(query, limit: Self.pageSize + 1, organization: call.requiredOrganization.id)
        let shown = Array(found.prefix(Self.pageSize))
        let table = table(shown, call, texts)
        let view = ListView(
            texts: texts, action: call.path, who: call.query("who") ?? "", from: call.query("from") ?? "",
            to: call.query("to") ?? "", table: table.html(call.format).text,
            older: found.count > shown.count
                ? shown.last.map { call.address(adding: [("before", $0.id.description)]) } : nil,
            newest: call.query("before") == nil ? nil : call.path,
            person: person.map { person in
                ListView.Person(
                    recipient: person.recipient.text, reason: person.reason.text, back: call.path(Self.area))
            })
        return ConsolePage(
            area: .access, title: person == nil ? texts.title : texts.ofPerson,
            lead: person == nil ? texts.lead : texts.ofPersonLead, content: Templates.render("looks", view),
            tables: [table])
    }

    private func table(_ looks: [AccessEntry], _ call: ConsoleCall, _ texts: LookTexts) -> ConsoleTable {
        ConsoleTable(
            name: "looks", caption: texts.caption,
            columns: [
                .init("accessedAt", texts.time), .init("who", texts.who), .init("what", texts.what),
                .init("reason", texts.reason), .init("id", "ID"),
            ],
            rows: looks.map { look in
                [
                    .time(look.accessedAt), .code(look.who.description),
                    .state(texts.looked(look.what), code: look.what.rawValue, tone: .neutral),
                    look.reason.map { .text($0.text) } ?? .none,
                    .link(look.id.description, path: call.path("\(Self.area)/\(look.id)")),
                ]
            }, whenEmpty: texts.empty)
    }

    private func look(_ call: ConsoleCall) async throws -> AccessEntry {
        let id = try call.id("look", as: AccessID.self)
        let time = id.number.timestamp
        let found = try await accesses.list(
            AccessQuery(from: time, to: time.advanced(byMilliseconds: 1)), limit: Self.mostAtOnce,
            organization: call.requiredOrganization.id)
        guard let look = found.first(where: { $0.id == id }) else { throw ConsoleRefusal.notFound }
        return look
    }

    private struct View {
        let texts: LookTexts
        let time: String
        let who: String
        let what: String
        let reason: String
        let isOfNobody: Bool
        let failure: String?
        let action: String
        let token: String
        let longestReason: Int
        let back: String
    }

    private func page(of call: ConsoleCall, failure: String?) async throws -> ConsolePage {
        let texts = LookTexts.all[call.language]
        let look = try await look(call)
        let view = View(
            texts: texts, time: call.format.second(look.accessedAt), who: look.who.description,
            what: texts.looked(look.what), reason: look.reason?.text ?? texts.noReason,
            isOfNobody: look.recipient == nil, failure: failure, action: call.path,
            token: try call.formToken(for: call.path), longestReason: AccessReason.maximumLength,
            back: call.path(Self.area))
        return ConsolePage(
            area: .access, title: texts.one, lead: texts.oneLead, content: Templates.render("look", view))
    }

    @Sendable private func reveal(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        guard let recipient = try await look(call).recipient else { throw ConsoleRefusal.notFound }
        do {
            let (opened, cookies) = try await PersonCase.open(
                .looks, of: recipient, because: LookForm(call.form).reason, accesses, call)
            return .with(cookies, .redirect(to: call.path("\(Self.area)/of/\(opened.id)")))
        } catch ConsoleRefusal.unfit(_, let fault) {
            let name = LookTexts.all[call.language].reason
            var page = try await page(of: call, failure: RefusalTexts.all[call.language].unfit(name, fault).text)
            page.status = .unprocessableContent
            return .page(page)
        }
    }

    @Sendable private func ofPerson(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let person = try PersonCase.opened(.looks, call)
        return .page(
            try await page(AccessQuery(recipient: person.recipient, before: before(call)), person, call))
    }
}
