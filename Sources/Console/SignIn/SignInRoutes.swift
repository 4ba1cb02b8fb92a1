import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import Organizations

/// Signing in with a key or with a link, and signing out. Sign-ins through a provider are in ``ProviderRoutes``.
struct SignInRoutes {
    static let path = "/sign-in"
    static let linkPath = "/sign-in/link"

    /// Whether there is a provider to sign in through.
    let hasProvider: Bool

    var routes: [ConsoleRoute] {
        [
            .page("/", .anyone, first),
            .page(Self.path, .anyone, show),
            .form(Self.path, .anyone, firstSending: .signIn, signIn),
            .page("\(Self.linkPath)/{link}", .anyone, showLink),
            .form("\(Self.linkPath)/{link}", .anyone, firstSending: .signIn, takeLink),
            .form("/sign-out", .signedIn, signOut),
        ]
    }

    private struct View {
        let texts: SignInTexts
        let action: String
        let token: String
        let next: String?
        let failure: String?
        let provider: String?
    }

    @Sendable private func first(_ call: ConsoleCall) async throws -> ConsoleResponse {
        .redirect(to: call.session.map { ConsoleArea.first(for: $0.account) } ?? Self.path)
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        if let account = call.session?.account { return .redirect(to: ConsoleArea.first(for: account)) }
        return .page(try page(call, next: call.query("next"), failure: nil))
    }

    private func page(
        _ call: ConsoleCall, next: String?, failure: String?, status: HTTPResponse.Status = .ok
    ) throws -> ConsolePage {
        let texts = SignInTexts.all[call.language]
        let next = next.flatMap(FollowingPage.path)
        let provider = hasProvider ? ConsoleCall.address("/sign-in/provider", next.map { [("next", $0)] } ?? []) : nil
        var page = ConsolePage(
            area: nil, title: texts.title, lead: texts.lead,
            content: Templates.render(
                "sign-in",
                View(
                    texts: texts, action: Self.path, token: try call.formToken(for: Self.path), next: next,
                    failure: failure, provider: provider)))
        page.status = status
        return page
    }

    @Sendable private func signIn(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let key = call.form["key"]
        let next = call.form["next"]
        let account: ConsoleAccount?
        do { account = try await call.proveKey(key) } catch ConsoleRefusal.notAllowed { account = nil }
        let texts = SignInTexts.all[call.language]
        guard let account else {
            return .page(try page(call, next: next, failure: texts.wrongKey, status: .forbidden))
        }
        guard !account.grants.isEmpty else {
            return .page(try page(call, next: next, failure: texts.noRole, status: .forbidden))
        }
        return try await call.begin(account, confirmedAt: call.now, then: FollowingPage.path(next))
    }

    @Sendable private func showLink(_ call: ConsoleCall) async throws -> ConsoleResponse {
        .page(try linkPage(call, failure: nil))
    }

    /// Opening the link does not sign in, because programs open links before people do: the page has a form.
    private func linkPage(_ call: ConsoleCall, failure: String?) throws -> ConsolePage {
        let texts = SignInTexts.all[call.language]
        var page = ConsolePage(
            area: nil, title: texts.linkTitle, lead: failure == nil ? texts.linkLead : "",
            content: Templates.render(
                "sign-in-link",
                View(
                    texts: texts, action: call.path, token: try call.formToken(for: call.path), next: nil,
                    failure: failure, provider: nil)))
        if failure != nil { page.status = .gone }
        return page
    }

    @Sendable private func takeLink(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let link = call.context.parameters.get("link") ?? ""
        guard let account = try await call.tools.sessions.takeLink(link, at: call.now) else {
            try call.recordFailure([.address(call.context.address)])
            return .page(try linkPage(call, failure: SignInTexts.all[call.language].linkUsed))
        }
        return try await call.begin(account, confirmedAt: call.now, then: nil)
    }

    @Sendable private func signOut(_ call: ConsoleCall) async throws -> ConsoleResponse {
        try await call.tools.sessions.end(call.requiredSession.digest)
        call.log("console.sign-out")
        return .with([call.cookie(.ended(call.cookieNames.session))], .redirect(to: Self.path))
    }
}

extension ConsoleCall {
    /// The account of a typed key. Failures delay later failures; they do not delay a correct key.
    /// - Throws: ``ConsoleRefusal/notAllowed`` if the key does not exist, ``ConsoleRefusal/mustWait(seconds:)`` if it
    ///   failed too often, or after too many other failures.
    func proveKey(_ key: String) async throws -> ConsoleAccount {
        let ofKey = SignInThrottle.Subject.key(SHA256.hash(of: Array(key.utf8)))
        // The store is not asked for such a key again: a key that does not exist is never made later.
        try Self.refuse(tools.throttle.wait([ofKey], at: now))
        let subjects: [SignInThrottle.Subject] = [.address(context.address), ofKey]
        guard let account = try await tools.sessions.account(ofKey: key) else {
            try recordFailure(subjects)
            log("console.sign-in", status: "refused")
            throw ConsoleRefusal.notAllowed
        }
        tools.throttle.recordSuccess(subjects)
        return account
    }

    /// Notes an attempt that failed.
    /// - Throws: ``ConsoleRefusal/mustWait(seconds:)`` if the attempt came too early; then it does not count.
    func recordFailure(_ subjects: [SignInThrottle.Subject]) throws {
        try Self.refuse(tools.throttle.fail(subjects, at: now))
    }

    /// - Parameter wait: the time to wait, in milliseconds.
    private static func refuse(_ wait: Int64) throws {
        guard wait <= 0 else { throw ConsoleRefusal.mustWait(seconds: (wait + 999) / 1000) }
    }

    /// Signs an account in, always with a new token. A token that the browser has already is not used.
    /// - Parameter confirmedAt: when the user proved who they are.
    func begin(
        _ account: ConsoleAccount, confirmedAt: Timestamp, then next: String?
    ) async throws -> ConsoleResponse {
        if let session { await tools.sessions.endFormer(session.digest) }
        let token = try await tools.sessions.begin(account, confirmedAt: confirmedAt, at: now)
        log("console.sign-in", by: account)
        return .with(
            [
                cookie(.host(cookieNames.session, token.text)),
                cookie(.ended(cookieNames.holder)),
            ],
            .redirect(to: next ?? ConsoleArea.first(for: account)))
    }

    func cookie(_ cookie: Cookie) -> (HTTPField.Name, String) { (.setCookie, cookie.description) }
}
