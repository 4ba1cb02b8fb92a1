import Testing

@testable import Pages

@Suite("A page for people")
struct WebPageTests {
    private func page(_ language: PageLanguage, title: String = "A & B") -> WebPage {
        WebPage(in: language, title: title, content: "<p>content</p>")
    }

    @Test(
        "says its language, its one heading and how to read it in each other language",
        arguments: PageLanguage.allCases)
    func languages(_ language: PageLanguage) {
        let html = page(language).html
        #expect(html.contains("<html lang=\"\(language.tag)\" dir=\"ltr\">"))
        #expect(html.ranges(of: "<h1>").count == 1)
        #expect(html.ranges(of: "A &amp; B").count == 2, "title and heading")
        for other in PageLanguage.allCases {
            let current = other == language ? " aria-current=\"true\"" : ""
            let link = """
                <a href="?lang=\(other.tag)" hreflang="\(other.tag)" lang="\(other.tag)"\(current)>\(other.ownName)</a>
                """
            #expect(html.contains(link))
        }
    }

    @Test("loads nothing and runs nothing")
    func nothingRuns() {
        let html = page(.english).html
        for forbidden in ["<script", "src=", "http:", "https:", "url(", "@import", "style=\"", " on"] {
            #expect(!html.contains(forbidden), "\(forbidden)")
        }
    }

    @Test("its header forbids what it does not do, and says what it was chosen by")
    func header() {
        let header = Dictionary(uniqueKeysWithValues: page(.swedish).header.map { ($0.name, $0.value) })
        #expect(header["Content-Type"] == "text/html; charset=utf-8")
        #expect(header["Content-Language"] == "sv")
        #expect(header["Vary"] == "Accept, Accept-Language")
        #expect(header["Cache-Control"] == "no-store")
        #expect(header["Referrer-Policy"] == "no-referrer")
        #expect(header["X-Robots-Tag"] == "noindex, nofollow")
        #expect(header["X-Content-Type-Options"] == "nosniff")
        #expect(header["X-Frame-Options"] == "DENY")
        let policy = header["Content-Security-Policy"] ?? ""
        let directives = policy.split(separator: ";").map { String($0.trimmingPrefix(" ")) }
        #expect(
            Set(directives).isSuperset(of: [
                "default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
            ]))
        #expect(!policy.contains("unsafe") && !policy.contains("script-src"))
    }
}
