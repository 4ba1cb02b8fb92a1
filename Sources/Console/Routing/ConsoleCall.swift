import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import Organizations

/// A request that may be carried out: its account, its organization, and its language.
struct ConsoleCall: Sendable {
    let request: Request
    let context: ConsoleContext
    let cookies: OwnCookies
    let cookieNames: ConsoleCookieNames
    let members: ConsoleQuery
    /// The path of the request, without its query.
    let path: String
    let language: ConsoleLanguage
    /// `https://console.example.com`, or that of the loopback.
    let origin: String
    let now: Timestamp
    /// The browser's token: of its session, or, before sign-in, the one that its forms are tied to.
    let holder: SessionToken
    /// `nil` if the route needs no sign-in, and the browser has no session.
    let session: ConsoleSession?
    /// The organization in the path; `nil` on pages without one.
    let organization: Organization?
    /// The form that was sent; empty for a page.
    let form: ConsoleForm
    let tools: ConsoleTools

    /// - Throws: ``ConsoleRefusal/notAllowed`` on a route that is open to any browser, if this one is not signed in.
    var requiredSession: ConsoleSession {
        get throws {
            guard let session else { throw ConsoleRefusal.notAllowed }
            return session
        }
    }

    /// - Throws: as ``requiredSession``.
    var account: ConsoleAccount { get throws { try requiredSession.account } }

    /// - Throws: ``ConsoleRefusal/notFound`` on a page without an organization.
    var requiredOrganization: Organization {
        get throws {
            guard let organization else { throw ConsoleRefusal.notFound }
            return organization
        }
    }

    var format: NumberFormat { NumberFormat(language: language) }

    /// The path of a page of the organization: `/orgs/acme/campaigns`.
    func path(_ rest: String) -> String { organization.map { "/orgs/\($0.id)/\(rest)" } ?? "/\(rest)" }

    /// The id in the path under `name`.
    /// - Throws: ``ConsoleRefusal/notFound`` if the text is no id.
    func id<ID: EntityID>(_ name: String, as _: ID.Type = ID.self) throws -> ID {
        guard let text = context.parameters.get(name), let id = try? ID(text) else { throw ConsoleRefusal.notFound }
        return id
    }

    /// The member of the query; `nil` if it is missing, empty or given twice.
    func query(_ name: String) -> String? { members.single(name) }

    /// The hidden field of a form that is sent to `path`.
    func formToken(for path: String) throws -> String {
        var generator = SecureRandom()
        return try tools.forms.make(for: path, holder: holder, at: now, using: &generator)
    }
}

/// What all requests of the console share.
struct ConsoleTools: Sendable {
    let sessions: SessionKeeper
    let forms: FormTokens
    let throttle: SignInThrottle
    let sealed: SealedValues
    /// For answers of stores that a page can do without.
    let wait: StoreWait
}
