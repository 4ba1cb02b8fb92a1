import Identifiers
import Testing

@testable import Messages

@Suite struct PreferencesPlaceholdersTests {
    private func replaced(
        _ text: String, of organization: String = "acme_1.x", isTracked: Bool = false
    ) throws -> String {
        let pages = PreferencesPages(
            origin: try PublicOrigin("https://links.example:8443"), organization: try OrganizationID(organization))
        var bytes: [UInt8] = []
        guard let template = pages.template(of: text, isTracked: isTracked) else { return text }
        template.render(into: &bytes) { blank, output in
            output += blank == .trackingID(.message) ? "(ID)".utf8 : "(?)".utf8
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "a placeholder is two braces, the name and two braces, with white space inside and braces percent-encoded",
        arguments: [
            "{{consentlink.preferences}}", "{{ consentlink.preferences }}", "{{\tconsentlink.preferences\r\n}}",
            "%7B%7Bconsentlink.preferences%7D%7D", "%7b%7bconsentlink.preferences%7d%7d",
            "%7B%7B%20consentlink.preferences%20%7D%7D", "{%7Bconsentlink.preferences}%7d",
            "{{&nbsp;consentlink.preferences&nbsp;}}", "{{\u{A0}consentlink.preferences \u{C}}}",
        ])
    func spellings(_ placeholder: String) throws {
        for (before, after) in [
            ("", ""), ("é", "😀"), ("{\"a\":\"", "\"}"), ("{{name}}", " {{id}}"), ("}", "."), ("<!--", "-->"),
            ("url(", ")"), ("Einstellungen:", " x"), ("<p title='x:", "'>"), ("?u=", "&b=1"),
            ("<p title = \"x:", "\">"), ("<a href = \"x y:", "\">"),
        ] {
            let text = before + placeholder + after
            #expect(PreferencesPlaceholders(text).fault == nil)
            #expect(
                try replaced(text, isTracked: true).utf8.elementsEqual(
                    "\(before)https://links.example:8443/p/(ID)\(after)".utf8))
            #expect(
                try replaced(text).utf8.elementsEqual(
                    "\(before)https://links.example:8443/preferences/acme_1.x\(after)".utf8))
        }
    }

    @Test(
        "an organization whose name could be cut, or end a comment, has an address with a slash behind it",
        arguments: [
            ("acme", ""), ("acme.", "/"), ("acme..", "/"), ("a--", "/"), ("a-", ""), ("a--b", ""), ("a_", ""),
            (".-", ""), ("--", "/"), ("-", ""),
        ])
    func ends(_ organization: String, _ end: String) throws {
        let page = "https://links.example:8443/preferences/\(organization)\(end)"
        #expect(
            try replaced("See {{consentlink.preferences}}. Bye", of: organization) == "See \(page). Bye")
        let comment = "<!--[if mso]><v:rect href={{consentlink.preferences}}><![endif]-->"
        let html = try replaced(comment, of: organization)
        #expect(html == "<!--[if mso]><v:rect href=\(page)><![endif]-->")
        #expect(html.ranges(of: "-->").count == 1)
    }

    @Test("each of several is replaced, also of those that touch")
    func several() throws {
        let one = PreferencesPlaceholders.spelling
        #expect(PreferencesPlaceholders("\(one)\(one) a \(one)").ranges == [0..<27, 27..<54, 57..<84])
        #expect(try replaced("a\(one)b\(one)", isTracked: true).hasSuffix("(ID)bhttps://links.example:8443/p/(ID)"))
    }

    @Test(
        "what is written otherwise is a fault",
        arguments: [
            "{{consentlink.preference}}", "{{consentlink.preferencesUrl}}", "{{consentlink}}", "{{consentlink.}}",
            "{{ConsentLink.Preferences}}", "{{ consentlink .preferences}}", "{{consentlink_preferences}}",
            "{{{consentlink.preferences}}}", "{consentlink.preferences}", "{{consentlink.preferences}",
            "{{consentlink.preferences", "consentlink.preferences", "[[consentlink.preferences]]",
            "%%consentlink.preferences%%", "*|CONSENTLINK.PREFERENCES|*", "<% consentlink.preferences %>",
            "{{ consentlink.preferences | upper }}", "{{#if consentlink.preferences}}",
            "{{<b>consentlink.preferences</b>}}", "&#123;&#123;consentlink.preferences&#125;&#125;",
            "%257B%257Bconsentlink.preferences%257D%257D", "{{consentlink.prefe<wbr>rences}}",
            "{{consentlink.preferences<br>}}", "{ {consentlink.preferences}}",
        ])
    func spellingFaults(_ text: String) throws {
        for text in [text, "a \(text) b", "\(text){{name}}"] {
            let found = PreferencesPlaceholders(text)
            #expect(found.fault == PlaceholderFault(kind: .spelling, line: 1))
            #expect(found.ranges.isEmpty)
            #expect(try replaced(text) == text)
        }
    }

    @Test(
        "a slash before a placeholder is a fault: the address is a whole one",
        arguments: ["http://", "https://", "app://", "//", "/", "https://editor.example/x/"])
    func schemes(_ scheme: String) {
        let found = PreferencesPlaceholders("\(scheme)%7B%7Bconsentlink.preferences%7D%7D")
        #expect(found.fault == PlaceholderFault(kind: .scheme, line: 1) && found.ranges.isEmpty)
    }

    @Test(
        "a scheme before a placeholder is a fault: a known one, or any in an href",
        arguments: [
            "mailto:", "MAILTO:", "https:", "x tel:", "javascript:",
            "<a href=\"sip:", "<a HREF='app+x:", "<a href=sip:", "<a href = \"foo:", "<a href =sip:", "<a href= sip:",
            "<a href\n=\r\n\t'sip:", "<a href=\" sip:", "<a href = '\n app+x:",
        ])
    func schemesWithoutSlash(_ scheme: String) throws {
        let text = "\(scheme){{consentlink.preferences}}"
        let line = 1 + scheme.utf8.count { $0 == UInt8(ascii: "\n") }
        #expect(PreferencesPlaceholders(text).fault == PlaceholderFault(kind: .scheme, line: line))
        // A message that has it and is stored already is rendered as before.
        #expect(try replaced(text) == "\(scheme)https://links.example:8443/preferences/acme_1.x")
    }

    @Test(
        "what would become a part of the address directly behind a placeholder is a fault",
        arguments: [
            "}", "{", "{{x}}", "2", "x", "Z", "-", "--", "_", "%7D", "%26", "%7B%7Bx%7D%7D", "[[x]]", "*|X|*", "<<x>>",
            "<%= x %>", "${x}", "$x$", "@{x}", "‹x›", "«First Name»", "%%x%%", ".html", ".{{x}}", "~x", "=1", "@x",
            "/x", "/2", "//", "/{{x}}", "/.html", "/%7B", "/[[x]]", "&a=b", "&amp;utm_source=mail",
            "{{/if}}x", "{{/if}}{{x}}", "{% endif %}.html", "<% } %>{{x}}", "/{{/if}}x", ".{{/if}}x", "{{/if}}&a=b",
            "{{/a b}}", "{{#if a}}", "{{else}}", "{{/}", "{% include 'x' %}", "{% endif x %}", "{% end", "{% x %}",
            "<% } print(x) %>", "<%= } %>", "<%@ include %>", "<% x %>", "<%- endDate %>", "<% } else { %>",
            "%%[SET @x = 1]%%",
        ])
    func continued(_ end: String) throws {
        for placeholder in ["{{consentlink.preferences}}", "%7B%7Bconsentlink.preferences%7D%7D"] {
            let text = "\n\(placeholder)\(end)"
            #expect(PreferencesPlaceholders(text).fault == PlaceholderFault(kind: .continued, line: 2))
            #expect(try replaced(text) == "\nhttps://links.example:8443/preferences/acme_1.x\(end)")
        }
    }

    @Test(
        "what does not make another address of it may follow directly",
        arguments: [
            "?a=b", "?{{x}}", "#x", "#{x}", "/", "/?a=b", "/#x", "/ x", "/.", ".", "...", ". x", ".\n", ".-->", "-->",
            ",x", ";x", ":x", "!x", "'x", "\"x", ")x", "]x", "|x", "<b>x", "</b>", "<br>", ">x", "&nbsp;x", "&quot;x",
            "{{/if}}", "{{~/if~}} x", "{{ /my-block }}<", "{{/if}}{{/each}}", "{% endif %}", "{%- endfor -%}\n",
            "<% } %>", "<%}%>?a=b", "%%[ENDIF]%%", "%%[ endif ]%%.", ".{{/if}}", "/{{/if}}",
            "{{/if}}/", "{{/if}}. x", "&", "&x", "&=", "= ", "/>", "/\"", "日本", "”", "»x", "*", "**x", "[x]",
            "$", "@ x", "é",
        ])
    func followed(_ end: String) {
        #expect(PreferencesPlaceholders("See {{consentlink.preferences}}\(end)").fault == nil)
    }

    @Test(
        "a parameter without a query before it is a fault, and one more behind a value is none",
        arguments: [
            ("", false), ("See ", false), ("<a href=\"", false), ("<a href='", false), ("<a href=", false),
            ("<a href = ", false), ("[a](", false), ("<a>", false), ("?u=", true), ("<a href=\"x?u=", true),
            ("u=", true),
        ])
    func parameters(_ beginning: String, isValue: Bool) {
        for parameter in ["&a=b", "&amp;a=b", "&a[b]="] {
            let found = PreferencesPlaceholders("\(beginning){{consentlink.preferences}}\(parameter)")
            #expect((found.fault == nil) == isValue)
        }
    }

    @Test("a placeholder directly behind another one is a fault of the first")
    func doubled() throws {
        let (written, address) = ("{{consentlink.preferences}}", "https://links.example:8443/preferences/acme_1.x")
        #expect(PreferencesPlaceholders(written + written).fault == PlaceholderFault(kind: .continued, line: 1))
        #expect(try replaced(written + written) == address + address)
        #expect(PreferencesPlaceholders("\(written) \(written)").fault == nil)
    }

    @Test("the first fault is told, with its line, and shows nothing of the text")
    func lines() {
        let text =
            "a\n{{consentlink.preferences}}\r\nsecret {{consentlink.secret}}\nhttps://{{consentlink.preferences}}"
        let found = PreferencesPlaceholders(text)
        #expect(found.ranges == [2..<29])
        #expect(found.fault == PlaceholderFault(kind: .spelling, line: 3))
        #expect(found.fault?.description.contains("line 3") == true)
        #expect(found.fault?.description.contains("secret") == false)
    }

    @Test(
        "what is the sender's own stays as it is, and so does the name alone",
        arguments: [
            "", "{{unsubscribe}}", "{{ first_name }}", "{% if consentlink %}", "https://consentlink.example/", "{{}}",
            "ConsentLink", "{{{{", "kkkKKK", "consentlin", "consentlink.preference", "a{consentlink-x:1}",
            "{{ link }} consentlink {{ link }}",
        ])
    func others(_ text: String) {
        let found = PreferencesPlaceholders(text)
        #expect(found.ranges.isEmpty && found.fault == nil)
    }

    @Test(
        "a text of any kind is read in steps that grow with its length alone",
        arguments: [
            "k", "consentlink", "consentlink.preferences", " ", "{", "{{", "{{ ", "%7b", "&nbsp;",
            "{{consentlink.preferences}}", "{{consentlink.preferences", "{{consentlink", "{consentlink ", "\n",
            "{{consentlink.preferences}}{{/if}}", "{{/if}}", "<% } %>", "{{/                ", "<%<%", "{%   end",
            "   x:{{consentlink.preferences}}", "= \" x:{{consentlink.preferences}}",
        ])
    func linear(_ unit: String) {
        for end in ["", "consentlink", "consentlink.preferences}}"] {
            let counts = [1_000, 8_000].map { size in
                let text = String(repeating: unit, count: size / unit.utf8.count) + end
                let bytes = CountedBytes(bytes: Array(text.utf8))
                _ = PreferencesPlaceholders(bytes)
                return Double(bytes.counter.reads)
            }
            #expect(counts[1] < 9 * counts[0], "grows faster than the text")
            #expect(counts[1] < 60 * 8_000)
        }
    }
}
