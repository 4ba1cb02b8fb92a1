import ASCII
import Consent
import HTTPAPI
import HTTPTypes
import Identifiers
import Logging
import Organizations
import Pages
import UseCases

/// The organizations of this service. Only the operator may see them.
struct OrganizationRoutes {
    private static let path = "/organizations"
    /// The row of one organization has a link to each of its pages.
    private static let pageSize = 25
    private static let fileSize = 50

    let organizations: any OrganizationStore
    let creator: OrganizationCreator

    var routes: [ConsoleRoute] {
        // A new organization has a key, so an open session that another person finds must not make one.
        [
            .page(Self.path, .operatorAlone, list),
            .form(Self.path, .operatorAlone, gravity: .grave, firstSending: .newOrganization, make),
        ]
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleResponse { .page(try await page(call)) }

    /// - Parameter fault: why the action of the form was refused.
    private func page(_ call: ConsoleCall, _ fault: Fault? = nil) async throws -> ConsolePage {
        let texts = OrganizationTexts.all[call.language]
        let after = try call.queryValue("after") { text throws(IdentifierError) in try OrganizationID(text) }
        let limit = call.wantsFile ? Self.fileSize : Self.pageSize
        guard let found = try await organizations.organizations(after: after, limit: limit) else {
            throw ConsoleRefusal.unfit(field: "after", .unknown)
        }
        let view = OrganizationView(
            texts: texts, rows: found.organizations.map { .init($0, texts, FrameTexts.all[call.language]) },
            hasRows: !found.organizations.isEmpty,
            more: found.next.map { ConsoleCall.address(Self.path, [("after", $0.description)]) }, action: Self.path,
            token: try call.formToken(for: Self.path), idFault: fault?.id, nameFault: fault?.name,
            id: call.form["id"], typedName: call.form["name"].escapedForHTML.text,
            choices: Enforcement.allCases.map { choice in
                .init(
                    value: choice.rawValue, text: texts.enforcementOf(choice),
                    isChosen: choice.rawValue == call.form["enforcement"])
            },
            idLength: OrganizationID.maximumLength, nameLength: Organization.maximumNameLength)
        var page = ConsolePage(
            area: .organizations, title: texts.title, lead: texts.lead,
            content: Templates.render("organizations", view),
            tables: [OrganizationView.table(found.organizations, texts)])
        if let fault {
            page.status = fault.status
            page.isOnce = true
        }
        return page
    }

    /// Why no organization was made, by the fields of the form.
    private struct Fault {
        var id: String?
        var name: String?
        var status = HTTPResponse.Status.unprocessableContent
    }

    @Sendable private func make(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = OrganizationTexts.all[call.language]
        let typedID = try? OrganizationID(call.form["id"])
        let typedName = try? call.form.optionalText("name", atMost: .bytes(Organization.maximumNameLength))
        guard let id = typedID, let name = typedName else {
            let fault = Fault(
                id: typedID == nil ? texts.idUnfit : nil, name: typedName == nil ? texts.nameUnfit : nil)
            return .page(try await page(call, fault))
        }
        guard let enforcement = Enforcement(rawValue: call.form["enforcement"]) else {
            throw ConsoleRefusal.unfit(field: "enforcement", .unknown)
        }
        let organization = Organization(id: id, name: name.isBlank ? id.description : name, enforcement: enforcement)
        let details: Logger.Metadata = [
            "organization": "\(id)", "enforcement": "\(enforcement.rawValue)",
            "identifiers": "\(organization.identifiers.rawValue)",
        ]
        do {
            let made = try await creator.make(organization, at: call.now)
            call.log("organization.create", details: details)
            let back = ConsoleArea.keys.path(in: id.description) ?? Self.path
            return .page(SecretPage(area: .organizations, secret: made.secret.text, back: back).page(call.language))
        } catch let refusal as OrganizationCreator.Refusal {
            call.log("organization.create", status: "refused", details: details)
            return .page(try await page(call, Fault(id: texts.words(for: refusal), status: .conflict)))
        }
    }
}
