import Cryptography
import HTTPAPI
import HTTPTypes
import Hummingbird
import Identifiers
import Organizations

/// The browser that sent a request, by its cookies.
struct ConsoleBrowser {
    let now: Timestamp
    let cookies: OwnCookies
    let cookieNames: ConsoleCookieNames
    let members: ConsoleQuery
    let language: ConsoleLanguage
    /// The token of a session, whether it is live or not; `nil` if the browser has none.
    let token: SessionToken?
    /// The token that forms are tied to: the session's, or one for a browser that is not signed in.
    let holder: SessionToken
    var session: ConsoleSession?
    /// Whether a person acts: the request of a page that reloads itself is marked.
    let isUse: Bool

    private let isNew: Bool
    private let chosen: ConsoleLanguage?

    init(_ request: Request, now: Timestamp) {
        self.now = now
        cookies = OwnCookies(request.headers)
        cookieNames = ConsoleCookieNames(authority: request.head.authority)
        members = ConsoleQuery(request)
        isUse = request.headers[.live] == nil && members.first("refresh") == nil
        token = cookies[cookieNames.session].flatMap { SessionToken($0) }
        let former = cookies[cookieNames.holder].flatMap { SessionToken($0) }
        var generator = SecureRandom()
        let made = SessionToken(using: &generator)
        holder = token ?? former ?? made
        isNew = token == nil && former == nil
        chosen = members.first("lang").flatMap { ConsoleLanguage(rawValue: $0) }
        let kept = cookies[ConsoleCookieNames.language].flatMap { ConsoleLanguage(rawValue: $0) }
        let accepted = request.headers[values: .acceptLanguage].joined(separator: ",")
        language = chosen ?? kept ?? ConsoleLanguage(acceptLanguage: accepted)
    }

    /// Adds the cookies that the browser must store.
    func finish(_ response: Response, isSignedOut: Bool = false) -> Response {
        var response = response
        if isNew { response.setCookie(.host(cookieNames.holder, holder.text)) }
        if isSignedOut { response.setCookie(.ended(cookieNames.session)) }
        // A page that reloads itself would set the language back that was chosen elsewhere since.
        if isUse, let chosen { response.setCookie(.host(ConsoleCookieNames.language, chosen.rawValue, days: 365)) }
        return response
    }
}

extension Cookie {
    /// A cookie for this host only, which no script can read. Without `days` it ends with the browser.
    static func host(_ name: String, _ value: String, days: Int? = nil) -> Cookie {
        Cookie(
            name: name, value: value, maxAge: days.map { $0 * 86_400 }, path: "/", secure: true, httpOnly: true,
            sameSite: .lax)
    }

    static func ended(_ name: String) -> Cookie {
        Cookie(name: name, value: "", maxAge: 0, path: "/", secure: true, httpOnly: true, sameSite: .lax)
    }
}

extension HTTPField.Name {
    /// `1` in automatic requests of a page's script.
    static let live = HTTPField.Name.known("X-Live")
}
