/// The answer to a request that is not redirected: a small page for people, a problem document (RFC 9457) for programs.
package struct RefusalAnswer: Sendable {
    /// For a link that is forged, cut or altered, or of a message that this service never had.
    package static let notFound = Self(
        "404 Not Found", title: "Link not found",
        detail: "This link is not complete or was never valid. Please open it again from the original message.")

    /// The status code and its reason phrase.
    private let status: String
    private let field: (name: String, value: String)?
    private let title: String
    private let detail: String

    init(_ refusal: RedirectPlan.Refusal) {
        switch refusal {
        case .methodNotAllowed:
            self.init(
                "405 Method Not Allowed", field: ("Allow", "GET, HEAD"), title: "Method not allowed",
                detail: "Links are followed with GET.")
        case .notFound:
            self = .notFound
        case .gone:
            self.init(
                "410 Gone", title: "Link switched off", detail: "The sender of the message has switched this link off.")
        case .unavailable:
            self = .unavailable(
                "Where this link leads cannot be looked up right now. Please try again in a moment.")
        }
    }

    private init(_ status: String, field: (name: String, value: String)? = nil, title: String, detail: String) {
        self.status = status
        self.field = field
        self.title = title
        self.detail = detail
    }

    /// For a genuine link, when a store that is needed cannot be read or written.
    /// - Parameter detail: what that means for the reader. Written into HTML and JSON without escaping.
    package static func unavailable(_ detail: String) -> Self {
        Self("503 Service Unavailable", field: ("Retry-After", "2"), title: "Please try again", detail: detail)
    }

    package var code: Int { Int(status.prefix(3)) ?? 500 }

    /// The header fields without `Date`.
    package func header(asHTML: Bool) -> [(name: String, value: String)] {
        let type = asHTML ? "text/html; charset=utf-8" : "application/problem+json"
        var fields = [field].compactMap(\.self)
        fields.append(("Content-Type", type))
        fields.append(("Content-Length", String(body(asHTML: asHTML).utf8.count)))
        fields.append(("Cache-Control", "no-store"))
        fields.append(("Referrer-Policy", "no-referrer"))
        fields.append(("X-Robots-Tag", "noindex, nofollow"))
        if asHTML { fields.append(("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")) }
        fields.append(("X-Content-Type-Options", "nosniff"))
        return fields
    }

    package func body(asHTML: Bool) -> String { asHTML ? page : problem }

    /// Everything from the status line up to the value of `Date`, and the body.
    typealias Rendered = (head: String, body: String)

    // Rendered once: forged links may come as fast as genuine ones.
    private static let pages = RedirectPlan.Refusal.allCases.map { Self($0).rendered(asHTML: true) }
    private static let problems = RedirectPlan.Refusal.allCases.map { Self($0).rendered(asHTML: false) }

    static func prepared(_ refusal: RedirectPlan.Refusal, asHTML: Bool) -> Rendered {
        asHTML ? pages[refusal.rawValue] : problems[refusal.rawValue]
    }

    private func rendered(asHTML: Bool) -> Rendered {
        let fields = header(asHTML: asHTML).map { "\($0.name): \($0.value)\r\n" }.joined()
        return ("HTTP/1.1 \(status)\r\n\(fields)Date: ", body(asHTML: asHTML))
    }

    private var page: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(title)</title>
        <style>
        body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem; }
        @media (prefers-color-scheme: dark) { body { background: #111; color: #eee; } }
        </style>
        </head>
        <body><main><h1>\(title)</h1><p>\(detail)</p></main></body>
        </html>

        """
    }

    private var problem: String {
        #"{"type":"about:blank","title":"\#(title)","status":\#(status.prefix(3)),"detail":"\#(detail)"}"# + "\n"
    }
}
