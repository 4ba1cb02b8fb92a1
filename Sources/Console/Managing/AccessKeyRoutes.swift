import Cryptography
import HTTPTypes
import Identifiers
import Logging
import Organizations
import Pages
import UseCases

/// An organization's keys: who can do what.
struct AccessKeyRoutes {
    private static let pageSize = 50

    let keys: any AccessKeyStore

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/keys", .roles([.manager]), list),
            .form("/orgs/{org}/keys", .roles([.manager]), make),
            .form("/orgs/{org}/keys/{key}/delete", .roles([.manager]), gravity: .grave, remove),
        ]
    }

    private struct View {
        struct Row {
            let id: String
            let name: String
            let scopes: String
            let action: String
            let token: String
        }

        struct Choice {
            let field: String
            let text: String
        }

        let texts: AccessKeyTexts
        let rows: [Row]
        /// Where to go on after proving again who they are.
        let back: String
        let action: String
        let token: String
        let choices: [Choice]
        let failure: String?
        let nameLength: Int
        let more: String?
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        .page(try await page(call, failure: nil))
    }

    private func page(_ call: ConsoleCall, failure: String?) async throws -> ConsolePage {
        let texts = AccessKeyTexts.all[call.language]
        let (organization, path) = (try call.requiredOrganization, call.path("keys"))
        let after = try call.queryValue("after") { text throws(IdentifierError) in try AccessKeyID(text) }
        // The key that the query names may have been deleted since; ids grow.
        let rest = try await keys.keys(of: organization.id).filter { key in after.map { $0 < key.id } ?? true }
        let shown = rest.prefix(Self.pageSize)
        let rows = try shown.map { key in
            let action = "\(path)/\(key.id)/delete"
            return View.Row(
                id: key.id.description, name: key.name, scopes: key.scopes.names, action: action,
                token: try call.formToken(for: action))
        }
        let grantable = try await grantable(call)
        let more = rest.count > shown.count ? shown.last?.id.description : nil
        let view = View(
            texts: texts, rows: rows, back: path, action: path, token: try call.formToken(for: path),
            choices: Scope.allCases.filter(grantable.contains).map {
                View.Choice(field: Self.field($0), text: texts.scope($0))
            },
            failure: failure, nameLength: AccessKey.maximumNameLength,
            more: more.map { call.address(adding: [("after", $0)]) })
        let table = ConsoleTable(
            name: "keys", caption: texts.caption,
            columns: [.init("id", texts.id), .init("name", texts.name), .init("scopes", texts.scopes)],
            rows: shown.map { [.code($0.id.description), .text($0.name), .text($0.scopes.names)] })
        var page = ConsolePage(
            area: .keys, title: texts.title, lead: texts.lead, content: Templates.render("keys", view), tables: [table])
        if failure != nil { page.status = .unprocessableContent }
        return page
    }

    private static func field(_ scope: Scope) -> String { "scope-\(scope.rawValue)" }

    /// The scopes that may be given to a new key: as the API has it, those that the giver has. A provider's account has
    /// those of its roles.
    private func grantable(_ call: ConsoleCall) async throws -> Set<Scope> {
        let (account, organization) = (try call.account, try call.requiredOrganization)
        if account.isOperator { return Set(Scope.allCases) }
        guard case .key(let digest) = account.origin else {
            return Set(account.grants.filter { $0.organization == organization.id }.flatMap(\.role.scopes))
        }
        guard let key = try await keys.key(with: digest), key.organization == organization.id else { return [] }
        return key.scopes.withIncluded
    }

    @Sendable private func make(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let texts = AccessKeyTexts.all[call.language]
        let name = call.form["name"].isEmpty ? "" : try call.form.text("name", atMost: AccessKey.maximumNameLength)
        let scopes = Set(Scope.allCases.filter { !call.form[Self.field($0)].isEmpty })
        guard !scopes.isEmpty else { return .page(try await page(call, failure: texts.noScope)) }
        guard scopes.isSubset(of: try await grantable(call)) else {
            call.log("key.create", status: "refused")
            var page = try await page(call, failure: texts.tooMuch)
            page.status = .forbidden
            return .page(page)
        }
        var generator = SecureRandom()
        let credential = Credential(using: &generator)
        let new = NewAccessKey(digest: credential.digest, name: name, scopes: scopes)
        guard let made = try await keys.addKey(new, to: try call.requiredOrganization.id, at: call.now) else {
            throw ConsoleRefusal.notFound
        }
        call.log("key.create", details: ["keyId": "\(made.id)", "scopes": "\(scopes.names)"])
        return .page(SecretPage(area: .keys, secret: credential.text, back: call.path("keys")).page(call.language))
    }

    @Sendable private func remove(_ call: ConsoleCall) async throws -> ConsoleAnswer {
        let id = try call.id("key", as: AccessKeyID.self)
        guard try await keys.removeKey(id, of: try call.requiredOrganization.id) else { throw ConsoleRefusal.notFound }
        call.log("key.delete", details: ["keyId": "\(id)"])
        return .redirect(to: call.path("keys"))
    }
}

extension Set<Scope> {
    fileprivate var names: String { Scope.allCases.filter(contains).map(\.rawValue).joined(separator: ", ") }
}

extension ConsoleRole {
    /// What a key with this role has.
    fileprivate var scopes: Set<Scope> {
        switch self {
        case .marketer: [.report]
        case .auditor: [.read, .report]
        case .manager: [.manage]
        case .operator: Set(Scope.allCases)
        }
    }
}
