import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import Organizations

/// A request that may be carried out: who makes it, for which organization, in which language.
struct ConsoleCall: Sendable {
    let request: Request
    let context: ConsoleContext
    let cookies: OwnCookies
    let members: QueryMembers
    /// The path that was asked for, without its query.
    let path: String
    let language: ConsoleLanguage
    /// `https://console.example.com`, or that of the loopback.
    let origin: String
    let now: Timestamp
    /// What the browser holds: its session, or, before it is signed in, what its forms are tied to.
    let holder: SessionToken
    /// `nil` where they need not be signed in, and are not.
    let session: ConsoleSession?
    /// That of the path; `nil` on pages of none.
    let organization: Organization?
    /// What was sent; empty for a page.
    let form: ConsoleForm
    let tools: ConsoleTools

    /// - Throws: ``ConsoleRefusal/notAllowed`` on a route that is open to anyone, to one who is not signed in.
    var account: ConsoleAccount {
        get throws {
            guard let session else { throw ConsoleRefusal.notAllowed }
            return session.account
        }
    }

    /// - Throws: ``ConsoleRefusal/notFound`` on a page of no organization.
    var requiredOrganization: Organization {
        get throws {
            guard let organization else { throw ConsoleRefusal.notFound }
            return organization
        }
    }

    var format: NumberFormat { NumberFormat(language: language) }

    /// The path of a page of the organization: `/orgs/acme/campaigns`.
    func path(_ rest: String) -> String { organization.map { "/orgs/\($0.id)/\(rest)" } ?? "/\(rest)" }

    /// What stands in the path under `name`, made into what it is.
    /// - Throws: ``ConsoleRefusal/notFound`` for a text that cannot be one.
    func id<ID: EntityID>(_ name: String, as _: ID.Type = ID.self) throws -> ID {
        guard let text = context.parameters.get(name), let id = try? ID(text) else { throw ConsoleRefusal.notFound }
        return id
    }

    /// The member of the query; `nil` where it is missing, empty or given twice.
    func query(_ name: String) -> String? { members.single(name) }

    /// The hidden field of a form that is sent to `path`.
    func formToken(for path: String) throws -> String {
        var generator = SecureRandom()
        return try tools.forms.make(for: path, holder: holder, at: now, using: &generator)
    }
}

/// What all requests of the console share.
struct ConsoleTools: Sendable {
    let keeper: SessionKeeper
    let forms: FormTokens
    let throttle: SignInThrottle
    let sealed: SealedValues
    /// For answers of stores that a page can do without.
    let wait: StoreWait
}
