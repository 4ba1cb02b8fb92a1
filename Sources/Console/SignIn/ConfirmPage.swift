import Hummingbird
import Identifiers
import Organizations

/// Asks a user who wants to do something irreversible to prove again who they are. Their input is not kept: they send
/// the form again afterwards.
struct ConfirmPage {
    static let path = "/confirm"

    let call: ConsoleCall

    private struct View {
        let texts: SignInTexts
        let action: String
        let token: String
        let next: String?
        let failure: String?
        let provider: String?
    }

    /// The address of this page, for a form that the browser must not keep.
    var address: String { ConsoleCall.address(Self.path, backPath.map { [("next", $0)] } ?? []) }

    func response(_ frame: ConsoleFrame) throws -> Response {
        try frame.response(try page(next: backPath, failure: nil), to: call)
    }

    /// The page with the form that was sent.
    private var backPath: String? { call.form["back"].isEmpty ? nil : FollowingPage.path(call.form["back"]) }

    func page(next: String?, failure: String?) throws -> ConsolePage {
        let texts = SignInTexts.all[call.language]
        let isOfProvider = try call.account.origin == .provider
        let provider =
            isOfProvider
            ? ConsoleCall.address("/sign-in/provider", [("fresh", "1")] + (next.map { [("next", $0)] } ?? [])) : nil
        var page = ConsolePage(
            area: nil, title: texts.confirmTitle, lead: texts.confirmLead,
            content: Templates.render(
                "confirm",
                View(
                    texts: texts, action: Self.path, token: try call.formToken(for: Self.path), next: next,
                    failure: failure, provider: provider)))
        page.status = .forbidden
        return page
    }
}

/// Proving again who the user is, with the key of the sign-in.
struct ConfirmRoutes {
    var routes: [ConsoleRoute] {
        [.page(ConfirmPage.path, .signedIn, show), .form(ConfirmPage.path, .signedIn, confirm)]
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        var page = try ConfirmPage(call: call).page(
            next: call.query("next").flatMap(FollowingPage.path), failure: nil)
        page.status = .ok
        return .page(page)
    }

    @Sendable private func confirm(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let next = FollowingPage.path(call.form["next"])
        let account: ConsoleAccount?
        do { account = try await call.proveKey(call.form["key"]) } catch ConsoleRefusal.notAllowed { account = nil }
        guard let account, account == (try call.account) else {
            let texts = SignInTexts.all[call.language]
            return .page(try ConfirmPage(call: call).page(next: next, failure: texts.wrongKey))
        }
        try await call.tools.sessions.confirm(call.requiredSession.digest, provedAt: call.now, at: call.now)
        call.log("console.confirm")
        return .redirect(to: next ?? ConsoleArea.first(for: account))
    }
}
