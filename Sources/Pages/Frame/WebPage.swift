/// A page for people: one heading, its content, and links to the same page in the other languages. It loads nothing,
/// runs nothing and sets no cookie.
package struct WebPage: Sendable {
    let language: PageLanguage
    let title: String
    private let content: HTML

    /// - Parameters:
    ///   - title: the heading, and the title of the window.
    ///   - content: the content below the heading.
    package init(in language: PageLanguage, title: String, content: HTML) {
        self.language = language
        self.title = title
        self.content = content
    }

    package var html: String {
        let page: HTML = """
            <!doctype html>
            <html lang="\(language.tag)" dir="ltr">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            <style>\(WebPageStyle.css)</style>
            </head>
            <body>
            <main>
            <h1>\(title)</h1>
            \(content)
            </main>
            \(languages)
            </body>
            </html>

            """
        return page.text
    }

    /// Links to the address of this page. They replace its query, so the page shows nothing of what the reader sent.
    private var languages: HTML {
        let links: [HTML] = PageLanguage.allCases.map { other in
            let current: HTML = other == language ? #" aria-current="true""# : ""
            return """
                <li><a href="?lang=\(other.tag)" hreflang="\(other.tag)" lang="\(other.tag)"\(current)>\(other.ownName)</a>
                """
        }
        return """
            <nav aria-label="\(language.texts.languages)">
            <ul>
            \(HTML(lines: links))
            </ul>
            </nav>
            """
    }

    /// The header fields that control how a browser treats the page, without `Content-Length` and `Date`.
    package var header: [(name: String, value: String)] {
        [
            ("Content-Type", "text/html; charset=utf-8"),
            ("Content-Language", language.tag),
            ("Vary", "Accept, Accept-Language"),
            ("Content-Security-Policy", WebPageStyle.contentSecurityPolicy),
            // For browsers that do not know `frame-ancestors`: web views of Android 4, Internet Explorer.
            ("X-Frame-Options", "DENY"),
        ] + ReaderProtection.fields
    }
}

extension HTML {
    /// A form that is sent to the address of its page, with the page's language: so the record of an answer can state
    /// in which language the person was asked.
    ///
    /// - Parameter place: the `id` of the element that the browser brings into view on the page that answers; `nil`
    ///   for the top of that page.
    package static func form(in language: PageLanguage, leadingTo place: String? = nil, _ content: HTML) -> HTML {
        let fragment: HTML = place.map { "#\($0)" } ?? ""
        return """
            <form method="post" action="?lang=\(language.tag)\(fragment)">
            \(content)
            </form>
            """
    }
}
