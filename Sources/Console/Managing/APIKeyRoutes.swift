import Cryptography
import HTTPTypes
import Identifiers
import Logging
import Organizations
import Pages
import UseCases

/// An organization's keys and their scopes.
struct APIKeyRoutes {
    private static let pageSize = 50
    /// The member of the query after a key was deleted.
    private static let deleted = "deleted"

    let keys: any APIKeyStore

    var routes: [ConsoleRoute] {
        [
            .page("/orgs/{org}/keys", .roles([.manager]), list),
            // A new key can later prove a person's identity, so an open session that another person finds must not make
            // one.
            .form("/orgs/{org}/keys", .roles([.manager]), gravity: .grave, firstSending: .newKey, make),
            .form("/orgs/{org}/keys/{key}/delete", .roles([.manager]), gravity: .grave, remove),
        ]
    }

    /// Why no key was made, by the fields of the form.
    private struct Fault {
        var name: String?
        var scopes: String?
        var status = HTTPResponse.Status.unprocessableContent
    }

    @Sendable private func list(_ call: ConsoleCall) async throws -> ConsoleResponse { .page(try await page(call)) }

    private func page(_ call: ConsoleCall, _ fault: Fault? = nil) async throws -> ConsolePage {
        let texts = APIKeyTexts.all[call.language]
        let (organization, path) = (try call.requiredOrganization, call.path("keys"))
        let after = try call.queryID("after", as: APIKeyID.self)
        // The key in the query may have been deleted since; the next page is still known, because ids grow.
        let rest = try await keys.keys(of: organization.id, after: after, limit: Self.pageSize + 1)
        let shown = Array(rest.prefix(Self.pageSize))
        let rows = try shown.map { key in
            let action = "\(path)/\(key.id)/delete"
            return APIKeyView.Row(key, texts, call.format, action: action, token: try call.formToken(for: action))
        }
        let grantable = try await grantable(call)
        let more = rest.count > shown.count ? shown.last?.id.description : nil
        let view = APIKeyView(
            texts: texts, rows: rows, hasRows: !rows.isEmpty,
            notice: call.said("done") == [Self.deleted] ? texts.deleted : nil, back: path, action: path,
            token: try call.formToken(for: path), typedName: call.form["name"].escapedForHTML.text,
            choices: Scope.allCases.filter(grantable.contains).map { scope in
                let field = Self.field(scope)
                return APIKeyView.Choice(field: field, text: texts.scope(scope), isChosen: !call.form[field].isEmpty)
            },
            nameFault: fault?.name, scopesFault: fault?.scopes, nameLength: APIKey.maximumNameLength,
            more: more.map { ConsoleCall.address(path, [("after", $0)]) })
        var page = ConsolePage(
            area: .keys, title: texts.title, lead: texts.lead, content: Templates.render("keys", view),
            tables: [APIKeyView.table(shown, texts)])
        if let fault {
            page.status = fault.status
            page.isOnce = true
        }
        return page
    }

    private static func field(_ scope: Scope) -> String { "scope-\(scope.rawValue)" }

    /// The scopes that a new key may get: as in the API, those of the account. A provider's account has those of its
    /// roles.
    private func grantable(_ call: ConsoleCall) async throws -> Set<Scope> {
        let (account, organization) = (try call.account, try call.requiredOrganization)
        if account.isOperator { return Set(Scope.allCases) }
        guard case .key(let digest) = account.origin else {
            return Set(account.grants.filter { $0.organization == organization.id }.flatMap(\.role.scopes))
        }
        guard let key = try await keys.key(with: digest), key.organization == organization.id else { return [] }
        return key.scopes.withIncluded
    }

    @Sendable private func make(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = APIKeyTexts.all[call.language]
        let typedName = try? call.form.optionalText("name", atMost: .bytes(APIKey.maximumNameLength))
        let scopes = Set(Scope.allCases.filter { !call.form[Self.field($0)].isEmpty })
        guard let name = typedName, !scopes.isEmpty else {
            let fault = Fault(
                name: typedName == nil ? texts.nameUnfit : nil, scopes: scopes.isEmpty ? texts.noScope : nil)
            return .page(try await page(call, fault))
        }
        guard scopes.isSubset(of: try await grantable(call)) else {
            call.log("key.create", status: "refused")
            return .page(try await page(call, Fault(scopes: texts.tooMuch, status: .forbidden)))
        }
        var generator = SecureRandom()
        let credential = Credential(using: &generator)
        let new = NewAPIKey(digest: credential.digest, name: name, scopes: scopes)
        let (organization, maker) = (try call.requiredOrganization.id, call.session?.account.key)
        guard let made = try await keys.addKey(new, to: organization, by: maker, at: call.now) else {
            throw ConsoleRefusal.notFound
        }
        let names = made.scopes.names
        call.log("key.create", details: ["keyId": "\(made.id)", "scopes": "\(names.joined(separator: ","))"])
        return .page(SecretPage(area: .keys, secret: credential.text, back: call.path("keys")).page(call.language))
    }

    @Sendable private func remove(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let id = try call.id("key", as: APIKeyID.self)
        guard try await keys.removeKey(id, of: try call.requiredOrganization.id) else { throw ConsoleRefusal.notFound }
        call.log("key.delete", details: ["keyId": "\(id)"])
        return .redirect(to: try call.address(of: call.path("keys"), saying: [("done", Self.deleted)]))
    }
}

extension ConsoleRole {
    /// The scopes of a key with this role.
    fileprivate var scopes: Set<Scope> {
        switch self {
        case .marketer: [.report]
        case .auditor: [.read, .report]
        case .manager: [.manage]
        case .operator: Set(Scope.allCases)
        }
    }
}
