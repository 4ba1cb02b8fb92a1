package import Pages

/// The answer to a request that is not granted: a small page for people, in their language, and a problem document
/// (RFC 9457) for programs.
package struct RefusalResponse: Sendable {
    package enum Reason: Hashable, Sendable, CaseIterable {
        case methodNotAllowed
        /// The link is forged, cut or altered, or it belongs to a message that this service never had.
        case linkNotFound
        case linkDisabled
        /// The link is genuine, and the store that knows where it leads cannot be read; or this node may lack its key.
        case linkUnavailable
        /// The address names nothing that this service has.
        case pageNotFound
        /// A store that the page needs cannot be read or written.
        case pageUnavailable
    }

    private let reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    init(for refusal: RedirectPlan.Refusal) {
        switch refusal {
        case .methodNotAllowed: self.init(.methodNotAllowed)
        case .notFound: self.init(.linkNotFound)
        case .gone: self.init(.linkDisabled)
        case .unavailable: self.init(.linkUnavailable)
        }
    }

    package var code: Int { Int(status.prefix(3)) ?? 500 }

    /// The header fields without `Date`, and the body.
    ///
    /// - Parameter language: the page's language; `nil` for a problem document, which is in English.
    package func content(in language: PageLanguage?) -> (header: [(name: String, value: String)], body: String) {
        let page = language.map(page)
        let body = page?.html ?? problem
        var header = [field].compactMap(\.self)
        header.append(("Content-Length", String(body.utf8.count)))
        return (header + (page?.header ?? Self.headerOfProblem), body)
    }

    private static let headerOfProblem =
        [(name: "Content-Type", value: "application/problem+json"), (name: "Vary", value: "Accept, Accept-Language")]
        + ReaderProtection.fields

    private func page(in language: PageLanguage) -> WebPage {
        let texts = language.texts.refusals
        let refusal =
            switch reason {
            case .methodNotAllowed: texts.wrongMethod
            case .linkNotFound: texts.linkNotFound
            case .linkDisabled: texts.linkDisabled
            case .linkUnavailable: texts.linkUnavailable
            case .pageNotFound: texts.pageNotFound
            case .pageUnavailable: texts.pageUnavailable
            }
        return WebPage(in: language, title: refusal.title, content: "<p>\(refusal.detail)</p>")
    }

    /// The status code and its reason phrase.
    private var status: String {
        switch reason {
        case .methodNotAllowed: "405 Method Not Allowed"
        case .linkNotFound, .pageNotFound: "404 Not Found"
        case .linkDisabled: "410 Gone"
        case .linkUnavailable, .pageUnavailable: "503 Service Unavailable"
        }
    }

    private var field: (name: String, value: String)? {
        switch reason {
        case .methodNotAllowed: ("Allow", "GET, HEAD")
        case .linkUnavailable, .pageUnavailable: ("Retry-After", "2")
        case .linkNotFound, .linkDisabled, .pageNotFound: nil
        }
    }

    private var problem: String {
        let (title, detail) = words
        return #"{"type":"about:blank","title":"\#(title)","status":\#(code),"detail":"\#(detail)"}"# + "\n"
    }

    /// The text for programs. Written into JSON without escaping.
    private var words: (title: String, detail: String) {
        switch reason {
        case .methodNotAllowed: ("Method not allowed", "Links are followed with GET.")
        case .linkNotFound:
            (
                "Link not found",
                "This link is not complete or was never valid. Please open it again from the original message."
            )
        case .linkDisabled: ("Link switched off", "The sender of the message has switched this link off.")
        case .linkUnavailable:
            ("Please try again", "The target of this link cannot be looked up right now. Please try again in a moment.")
        case .pageNotFound:
            ("Page not found", "This address is not complete or was never valid.")
        case .pageUnavailable:
            ("Please try again", "This cannot be looked up or changed right now. Please try again in a moment.")
        }
    }

    // MARK: Without the HTTP encoder

    /// Everything from the status line up to the value of `Date`, and the body.
    typealias Rendered = (head: String, body: String)

    // Rendered once: forged links may come as fast as genuine ones.
    private static let pages = RedirectPlan.Refusal.allCases.map { refusal in
        PageLanguage.allCases.map { Self(for: refusal).rendered(in: $0) }
    }
    private static let problems = RedirectPlan.Refusal.allCases.map { Self(for: $0).rendered(in: nil) }

    static func prepared(_ refusal: RedirectPlan.Refusal, in language: PageLanguage?) -> Rendered {
        language.map { pages[refusal.rawValue][$0.rawValue] } ?? problems[refusal.rawValue]
    }

    private func rendered(in language: PageLanguage?) -> Rendered {
        let content = content(in: language)
        let fields = content.header.map { "\($0.name): \($0.value)\r\n" }.joined()
        return ("HTTP/1.1 \(status)\r\n\(fields)Date: ", content.body)
    }
}
