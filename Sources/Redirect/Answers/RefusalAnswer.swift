/// What somebody gets who is not sent on: a small page for people, a problem document (RFC 9457) for programs.
struct RefusalAnswer {
    let status: String
    let header: String
    let title: String
    let detail: String

    init(_ refusal: RedirectPlan.Refusal) {
        switch refusal {
        case .methodNotAllowed:
            self.init(
                "405 Method Not Allowed", header: "Allow: GET, HEAD\r\n", title: "Method not allowed",
                detail: "Links are followed with GET.")
        case .notFound:
            self.init(
                "404 Not Found", title: "Link not found",
                detail: "This link is not complete or was never valid. Please open it again from the original message.")
        case .gone:
            self.init(
                "410 Gone", title: "Link switched off", detail: "The sender of the message has switched this link off.")
        case .unavailable:
            self.init(
                "503 Service Unavailable", header: "Retry-After: 2\r\n", title: "Please try again",
                detail: "Where this link leads cannot be looked up right now. Please try again in a moment.")
        }
    }

    private init(_ status: String, header: String = "", title: String, detail: String) {
        self.status = status
        self.header = header
        self.title = title
        self.detail = detail
    }

    /// Everything from the status line up to the value of `Date`, and the body.
    typealias Rendered = (head: String, body: String)

    // Made once: forged links may come as fast as genuine ones.
    private static let pages = RedirectPlan.Refusal.allCases.map { Self($0).rendered(asHTML: true) }
    private static let problems = RedirectPlan.Refusal.allCases.map { Self($0).rendered(asHTML: false) }

    static func prepared(_ refusal: RedirectPlan.Refusal, asHTML: Bool) -> Rendered {
        asHTML ? pages[refusal.rawValue] : problems[refusal.rawValue]
    }

    private func rendered(asHTML: Bool) -> Rendered {
        let body = asHTML ? page : problem
        let type = asHTML ? "text/html; charset=utf-8" : "application/problem+json"
        var head = "HTTP/1.1 \(status)\r\n\(header)Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n"
        head += "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Robots-Tag: noindex, nofollow\r\n"
        if asHTML { head += "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n" }
        head += "X-Content-Type-Options: nosniff\r\nDate: "
        return (head, body)
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
