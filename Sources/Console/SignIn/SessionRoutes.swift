import Cryptography
import Hummingbird
import Identifiers
import Organizations

/// The user's account, and their sessions in all browsers.
struct SessionRoutes {
    private static let path = "/sessions"

    var routes: [ConsoleRoute] {
        [
            .page(Self.path, .signedIn, show),
            .form("\(Self.path)/end", .signedIn, end),
            .form("\(Self.path)/end-all", .signedIn, endAll),
        ]
    }

    private struct View {
        struct Row {
            let began: String
            let used: String
            let isThis: Bool
            let id: String
            let endToken: String
        }

        let texts: SignInTexts
        let rows: [Row]
        let grants: [Grant]
        let endAllToken: String

        struct Grant {
            let role: String
            let organization: String
            let path: String?
        }
    }

    /// Names a session in a form; the name cannot be used to sign in.
    private static func id(of session: ConsoleSession) -> String {
        Hexadecimal.encode(Array(session.digest.bytes.prefix(8)))
    }

    @Sendable private func show(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let texts = SignInTexts.all[call.language]
        let account = try call.account
        let sessions = try await call.tools.sessions.sessions(of: account, at: call.now)
        let rows = try sessions.map { session in
            View.Row(
                began: call.format.minute(session.madeAt), used: call.format.minute(session.usedAt),
                isThis: session.digest == call.session?.digest, id: Self.id(of: session),
                endToken: try call.formToken(for: "\(Self.path)/end"))
        }
        let view = View(
            texts: texts, rows: rows, grants: grants(account, texts),
            endAllToken: try call.formToken(for: "\(Self.path)/end-all"))
        return .page(
            ConsolePage(
                area: .sessions, title: texts.sessionsTitle, lead: texts.sessionsLead,
                content: Templates.render("sessions", view), tables: [table(sessions, texts, call)]))
    }

    /// The table for files.
    private func table(_ sessions: [ConsoleSession], _ texts: SignInTexts, _ call: ConsoleCall) -> ConsoleTable {
        ConsoleTable(
            name: "sessions", caption: texts.sessionsCaption,
            columns: [.init("began", texts.began), .init("used", texts.used), .init("state", texts.state)],
            rows: sessions.map { session -> [ConsoleTable.Cell] in
                let isThis = session.digest == call.session?.digest
                return [
                    .time(session.madeAt), .time(session.usedAt), .code(isThis ? "thisBrowser" : "open"),
                ]
            })
    }

    private func grants(_ account: ConsoleAccount, _ texts: SignInTexts) -> [View.Grant] {
        account.grants.sorted { $0.text < $1.text }.map { grant in
            let role =
                switch grant.role {
                case .marketer: texts.marketer
                case .auditor: texts.auditor
                case .manager: texts.manager
                case .operator: texts.theOperator
                }
            let area = ConsoleArea.allCases.first { $0.roles.contains(grant.role) && $0 != .sessions }
            return View.Grant(
                role: role, organization: grant.organization?.description ?? "",
                path: area?.path(in: grant.organization?.description))
        }
    }

    @Sendable private func end(_ call: ConsoleCall) async throws -> ConsoleResponse {
        let id = call.form["session"]
        let sessions = try await call.tools.sessions.sessions(of: call.account, at: call.now)
        guard let session = sessions.first(where: { Self.id(of: $0) == id }) else { throw ConsoleRefusal.notFound }
        try await call.tools.sessions.end(session.digest)
        call.log("console.session-end")
        return .redirect(to: Self.path)
    }

    @Sendable private func endAll(_ call: ConsoleCall) async throws -> ConsoleResponse {
        try await call.tools.sessions.endAll(of: call.account)
        call.log("console.sessions-end")
        return .with([call.cookie(.ended(call.cookieNames.session))], .redirect(to: SignInRoutes.path))
    }
}
