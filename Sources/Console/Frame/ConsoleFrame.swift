import ASCII
import HTTPAPI
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import NIOCore
import Organizations

/// Puts a page into its frame, or its tables into a file, as the request asks.
struct ConsoleFrame: Sendable {
    private static let csp = """
        default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
        form-action 'self'; frame-ancestors 'none'; base-uri 'none'
        """

    private struct View {
        struct Group {
            let name: String
            let areas: [Area]
        }

        struct Area {
            let name: String
            let path: String
            let isCurrent: Bool
        }

        struct Language {
            let tag: String
            let name: String
            let path: String
            let isCurrent: Bool
        }

        struct TableFile {
            let caption: String
            let csv: String
            let json: String
        }

        let texts: FrameTexts
        let language: String
        let languages: [Language]
        let hasLanguages: Bool
        let stylesheet: String
        let script: String
        let title: String
        let lead: String?
        let content: String
        let refresh: Int?
        let account: String?
        let signOutToken: String
        let organization: String?
        /// The address for choosing another organization; `nil` if there is no other.
        let change: String?
        let groups: [Group]
        let hasTables: Bool
        let tables: [TableFile]
    }

    /// The page, or its tables if the request's `Accept` or its query asks for them.
    func response(_ page: ConsolePage, to call: ConsoleCall) throws -> Response {
        if page.status == .ok, !page.tables.isEmpty, let format = FileFormat(call) {
            try call.requireOwnSite()
            return try file(page, format, call)
        }
        return response(html: Templates.render("frame", try view(page, call)), status: page.status)
    }

    func response(html: String, status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: Self.headers(mediaType: "text/html; charset=utf-8"),
            body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    static func headers(mediaType: String) -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: mediaType, .cacheControl: "no-store", .contentSecurityPolicy: csp,
            .xContentTypeOptions: "nosniff", .vary: "Accept, Accept-Language, Cookie",
        ]
        // With the policy `no-referrer`, browsers would send `Origin: null` with every form.
        for (name, value) in [
            ("Referrer-Policy", "same-origin"), ("X-Robots-Tag", "noindex, nofollow"),
            ("Cross-Origin-Opener-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin"),
            ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
        ] {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return headers
    }

    fileprivate enum FileFormat: String {
        case csv
        case json

        /// The format in the member `as` of the query, else one that `Accept` prefers to HTML.
        init?(_ call: ConsoleCall) {
            if let wanted = call.query("as") {
                self.init(rawValue: wanted)
                return
            }
            let accept = Accept(call.request.headers[values: .accept].joined(separator: ","))
            switch accept.preferred(among: ["text/html", "application/json", "text/csv"]) {
            case "application/json": self = .json
            case "text/csv": self = .csv
            default: return nil
            }
        }
    }

    private func file(_ page: ConsolePage, _ format: FileFormat, _ call: ConsoleCall) throws -> Response {
        switch format {
        case .json:
            var writer = JSONWriter()
            writer.object { writer in
                for table in page.tables { table.write(to: &writer) }
            }
            return Response(
                status: .ok, headers: Self.headers(mediaType: "application/json"),
                body: .init(byteBuffer: ByteBuffer(bytes: writer.bytes)))
        case .csv:
            let wanted = call.query("table")
            guard let table = page.tables.first(where: { wanted == nil || $0.name == wanted }) else {
                throw ConsoleRefusal.notFound
            }
            var headers = Self.headers(mediaType: "text/csv; charset=utf-8; header=present")
            headers[.contentDisposition] = "attachment; filename=\"\(table.name).csv\""
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: table.csv)))
        }
    }

    private func view(_ page: ConsolePage, _ call: ConsoleCall) throws -> View {
        let texts = FrameTexts.all[call.language]
        // The answer to a form cannot be requested again.
        let languages = page.isOnce || call.request.method != .get ? [] : languages(call)
        let organization = call.organization
        let account = call.session?.account
        let files = page.status == .ok ? page.tables : []
        return View(
            texts: texts, language: call.language.rawValue, languages: languages,
            hasLanguages: !languages.isEmpty,
            stylesheet: Asset.styleSheet.path, script: Asset.script.path, title: page.title,
            lead: page.lead.isEmpty ? nil : page.lead, content: page.content, refresh: page.refresh,
            account: account.map { $0.isOperator ? texts.theOperator : $0.name },
            signOutToken: account == nil ? "" : try call.formToken(for: "/sign-out"),
            organization: organization.map { $0.name.isBlank ? $0.id.description : $0.name },
            change: account.flatMap(Self.change),
            groups: account.map { groups(for: $0, page.area, organization, texts) } ?? [],
            hasTables: !files.isEmpty,
            tables: files.map { table in
                View.TableFile(
                    caption: table.caption, csv: call.address(adding: [("as", "csv"), ("table", table.name)]),
                    json: call.address(adding: [("as", "json")]))
            })
    }

    private static func change(_ account: ConsoleAccount) -> String? {
        if account.isOperator { return ConsoleArea.organizations.path(in: nil) }
        return account.organizations.count > 1 ? ConsoleArea.sessions.path(in: nil) : nil
    }

    private func languages(_ call: ConsoleCall) -> [View.Language] {
        ConsoleLanguage.allCases.map { language in
            View.Language(
                tag: language.rawValue, name: language.ownName,
                path: call.address(adding: [("lang", language.rawValue)]), isCurrent: language == call.language)
        }
    }

    private func groups(
        for account: ConsoleAccount, _ current: ConsoleArea?, _ organization: Organization?, _ texts: FrameTexts
    ) -> [View.Group] {
        let id = organization?.id ?? (account.isOperator ? nil : account.organizations.first)
        return ConsoleArea.Group.allCases.compactMap { group in
            let areas = ConsoleArea.allCases.filter { $0.group == group }.compactMap { area -> View.Area? in
                guard account.has(area.roles, in: id), let path = area.path(in: id?.description) else { return nil }
                return View.Area(name: texts.name(of: area), path: path, isCurrent: area == current)
            }
            return areas.isEmpty ? nil : View.Group(name: texts.name(of: group), areas: areas)
        }
    }
}

extension ConsoleCall {
    /// Whether the request asks for the tables of the page rather than the page.
    var wantsFile: Bool { ConsoleFrame.FileFormat(self) != nil }

    /// The address of this page with these members of the query, which replace members of the same names.
    func address(adding members: [(String, String)]) -> String {
        let names = Set(members.map(\.0))
        let kept = self.members.all.filter { !names.contains($0.name) && !["as", "table"].contains($0.name) }
        return Self.address(path, kept + members)
    }

    static func address(_ path: String, _ members: [(String, String)]) -> String {
        guard !members.isEmpty else { return path }
        let query = members.map { "\(escaped($0.0))=\(escaped($0.1))" }.joined(separator: "&")
        return "\(path)?\(query)"
    }

    private static func escaped(_ text: String) -> String { PercentEncoding.encode(text, keeping: \.isUnreserved) }
}
