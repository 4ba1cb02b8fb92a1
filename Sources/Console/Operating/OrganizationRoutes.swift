import Consent
import HTTPTypes
import Identifiers
import Logging
import Organizations
import Pages
import UseCases

/// The organizations of this service, for the operator alone.
struct OrganizationRoutes {
    private static let path = "/organizations"
    private static let pageSize = 50

    let organizations: any OrganizationStore
    let making: OrganizationMaking

    var routes: [ConsoleRoute] {
        [.page(Self.path, .operatorAlone, list), .form(Self.path, .operatorAlone, make)]
    }

    private struct View {
        struct Choice {
            let value: String
            let text: String
        }

        let texts: OrganizationTexts
        let table: String
        let more: String?
        let action: String
        let token: String
        let failure: String?
        let id: String
        let name: String
        let choices: [Choice]
        let idLength: Int
        let nameLength: Int
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleAnswer { .page(try await page(call)) }

    /// - Parameter failure: why what the form asks for was not done.
    private func page(_ call: ConsoleCall, failure: String? = nil) async throws -> ConsolePage {
        let texts = OrganizationTexts.all[call.language]
        let after = try call.queryValue("after") { text throws(IdentifierError) in try OrganizationID(text) }
        guard let found = try await organizations.organizations(after: after, limit: Self.pageSize) else {
            throw ConsoleRefusal.unfit(field: "after", .unknown)
        }
        let table = table(found.organizations, texts, FrameTexts.all[call.language])
        let view = View(
            texts: texts, table: table.html(call.format).text,
            more: found.next.map { call.address(adding: [("after", $0.description)]) }, action: Self.path,
            token: try call.formToken(for: Self.path), failure: failure, id: call.form["id"], name: call.form["name"],
            choices: Enforcement.allCases.map { View.Choice(value: $0.rawValue, text: texts.enforcementOf($0)) },
            idLength: OrganizationID.maximumLength, nameLength: Organization.maximumNameLength)
        return ConsolePage(
            area: .organizations, title: texts.title, lead: texts.lead,
            content: Templates.render("organizations", view), tables: [table])
    }

    private func table(_ found: [Organization], _ texts: OrganizationTexts, _ frame: FrameTexts) -> ConsoleTable {
        let areas: [ConsoleArea] = [.campaigns, .consent, .decisions, .ledger, .keys, .processing]
        return ConsoleTable(
            name: "organizations", caption: texts.caption,
            columns: [.init("id", texts.id), .init("name", texts.name), .init("enforcement", texts.enforcement)]
                + areas.map { .init($0.rawValue, frame.name(of: $0)) },
            rows: found.map { organization in
                let id = organization.id.description
                return [
                    .code(id), .text(organization.name),
                    .state(
                        texts.enforcementOf(organization.enforcement), code: organization.enforcement.rawValue,
                        tone: organization.enforcement == .restrictive ? .good : .neutral),
                ] + areas.map { .link(frame.name(of: $0), path: $0.path(in: id) ?? "/") }
            },
            whenEmpty: texts.empty)
    }

    @Sendable private func make(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let id: OrganizationID
        do throws(IdentifierError) { id = try OrganizationID(call.form["id"]) } catch {
            throw ConsoleRefusal.unfit(field: "id", call.form["id"].isEmpty ? .missing : .malformed)
        }
        let length = Organization.maximumNameLength
        let name = call.form["name"].isEmpty ? id.description : try call.form.text("name", atMost: length)
        guard let enforcement = Enforcement(rawValue: call.form["enforcement"]) else {
            throw ConsoleRefusal.unfit(field: "enforcement", .unknown)
        }
        let details: Logger.Metadata = ["organization": "\(id)", "enforcement": "\(enforcement.rawValue)"]
        do {
            let made = try await making.make(
                Organization(id: id, name: name, enforcement: enforcement), at: call.now)
            call.log("organization.create", details: details)
            let back = ConsoleArea.keys.path(in: id.description) ?? Self.path
            return .page(SecretPage(area: .organizations, secret: made.secret.text, back: back).page(call.language))
        } catch let refusal as OrganizationMaking.Refusal {
            call.log("organization.create", status: "refused", details: details)
            var page = try await page(call, failure: OrganizationTexts.all[call.language].words(for: refusal))
            page.status = .conflict
            return .page(page)
        }
    }
}
