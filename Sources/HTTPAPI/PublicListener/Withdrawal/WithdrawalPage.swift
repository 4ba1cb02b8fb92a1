import Consent
import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import NIOCore

/// What a recipient sees who asks whether they are tracked: one page, without scripts, that says nothing about them but
/// this.
struct WithdrawalPage {
    /// What is shown, and what can be done about it.
    enum State: Hashable, CaseIterable {
        /// Clicks are recorded.
        case on
        /// Clicks are not recorded, though the recipient has not said no: a new rule or a new message could change it.
        case silent
        /// Clicks are not recorded until the recipient says otherwise.
        case ended
        /// Nothing is known any more of who it was sent to.
        case nobody

        init(_ status: ConsentStatus, _ policy: ConsentPolicy, at instant: Timestamp) {
            self =
                switch status {
                case .erased: .nobody
                case .inForce(let consent) where consent.state.endsTracking: .ended
                case .inForce, .nothing: policy.decide(status, at: instant).outcome == .tracked ? .on : .silent
                }
        }

        init(_ withdrawal: Withdrawal) {
            self =
                switch withdrawal {
                case .recorded, .hadEnded: .ended
                case .nobody: .nobody
                }
        }
    }

    let organization: String
    let purpose: Purpose
    let state: State

    var response: Response {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .contentLanguage: "en", .cacheControl: "no-store",
            .contentSecurityPolicy: Self.contentSecurityPolicy, .xContentTypeOptions: "nosniff",
        ]
        if let name = HTTPField.Name("Referrer-Policy") { headers[name] = "no-referrer" }
        if let name = HTTPField.Name("X-Robots-Tag") { headers[name] = "noindex, nofollow" }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(string: html)))
    }

    /// Nothing is loaded and nothing runs; the form goes to where the page came from; no page may frame this one, so
    /// that no reader is tricked into pressing its button.
    private static let contentSecurityPolicy = {
        let hash = Base64.encode(SHA256.hash(of: Array(style.utf8)))
        return """
            default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'
            """
    }()

    var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(title)</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        <h1>\(title)</h1>
        \(sentences.map { "<p>\($0)</p>" }.joined(separator: "\n"))
        \(form)</main>
        </body>
        </html>

        """
    }

    private var title: String { state == .on ? "Message tracking is on" : "Message tracking is off" }

    private var sentences: [String] {
        let name = "<bdi><strong>\(organization.escapedForHTML)</strong></bdi>"
        let of = purpose == .tracking ? "" : " This is about the purpose <em>\(purpose.description)</em>."
        return switch state {
        case .on:
            [
                "When you open a message from \(name) or a link in it, that can be recorded, with the time.\(of)",
                "You can turn this off. Your links go on working, and from the next one on nothing is recorded about you.",
            ]
        case .silent:
            [
                "When you open this message from \(name) or a link in it, nothing is recorded about you.\(of)",
                "You have not said whether that is to stay so. You can say it now.",
            ]
        case .ended:
            [
                "When you open a message from \(name) or a link in it, nothing is recorded about you.\(of)",
                "Your links go on working.",
                "It stays off until you agree to it again.",
            ]
        case .nobody:
            [
                "Nothing is known any more of the person whom \(name) sent this to, and nothing is recorded about them.",
                "A message that you got later has a page like this of its own.",
            ]
        }
    }

    /// Posted to the page's own address.
    private var form: String {
        switch state {
        case .on: #"<form method="post"><button>Turn tracking off</button></form>"# + "\n"
        case .silent: #"<form method="post"><button>Keep tracking off</button></form>"# + "\n"
        case .ended, .nobody: ""
        }
    }

    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 15vh auto 0; padding: 0 1.5rem 2rem;
          background: #fff; color: #1a1a1a; overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; line-height: 1.25; }
        button { font: inherit; min-height: 3rem; padding: .5rem 1.5rem; border: 2px solid #0b4f9e; border-radius: .4rem;
          background: #0b4f9e; color: #fff; cursor: pointer; }
        button:focus-visible { outline: 3px solid #e08a00; outline-offset: 3px; }
        @media (prefers-color-scheme: dark) {
          body { background: #121212; color: #ececec; }
          button { background: #9cc7ff; border-color: #9cc7ff; color: #0a1a2e; }
        }
        """
}

extension String {
    /// The text as it stands in HTML, between tags and in quoted attributes.
    var escapedForHTML: String {
        var escaped = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
