import Consent
import HTTPTypes
import Identifiers
import Organizations
import Pages
import Redirect
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing

@testable import HTTPAPI

/// The pages for people in their languages, and what is recorded of the language.
@Suite struct PageLanguageRoutesTests {
    private func with(_ body: (PublicListenerFixture, String) async throws -> Void) async throws {
        let fixture = try await PublicListenerFixture(.restrictive)
        defer { fixture.end() }
        let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
        try await fixture.record(.given, for: ana)
        let token = try fixture.token(message, try await fixture.reference(of: ana, message))
        try await body(fixture, "/p/\(token)")
    }

    private func evidence(_ fixture: PublicListenerFixture) async throws -> ConsentEvidence? {
        let ana = try RecipientID("ana@example.com")
        return try await fixture.history(of: ana).last?.evidence
    }

    @Test("each page speaks the language that the browser asks for", arguments: PageLanguage.allCases)
    func everyPage(_ language: PageLanguage) async throws {
        try await with { fixture, path in
            let texts = language.texts
            for (path, status, title) in [
                (path, 200, texts.withdrawal.isOn), ("/p/x", 404, texts.refusals.linkNotFound.title),
                ("/preferences/acme", 200, texts.preferences.title),
                ("/preferences/nobody", 404, texts.refusals.pageNotFound.title),
            ] {
                let page = try await fixture.ask(.get, path, language: "\(language.tag)-AT, zz;q=0.5")
                #expect(page.status == status)
                #expect(page.body.contains("<html lang=\"\(language.tag)\""))
                #expect(page.body.contains("<h1>\(title.escapedForHTML.text)</h1>"))
                #expect(page.headers[.contentLanguage] == language.tag)
                #expect(page.headers[.vary] == "Accept, Accept-Language")
                #expect(page.headers[.cacheControl] == "no-store")
            }
        }
    }

    @Test("what the reader chose outranks the browser, stays chosen when they press, and is evidence")
    func chosen() async throws {
        try await with { fixture, path in
            let page = try await fixture.ask(.get, path + "?utm=1&lang=fi", language: "de")
            #expect(page.body.contains("<html lang=\"fi\""))
            #expect(page.body.contains("action=\"?lang=fi\""))
            let pressed = try await fixture.ask(.post, path + "?lang=fi", language: "de")
            #expect(pressed.body.contains("<html lang=\"fi\""))
            #expect(
                try await evidence(fixture)
                    == ConsentEvidence(method: "withdrawal-page", actor: "subject", language: "fi"))
        }
    }

    @Test("one click without a page has no language", arguments: [nil, "de"])
    func oneClick(_ language: String?) async throws {
        try await with { fixture, path in
            _ = try await fixture.ask(.post, path, language: language, form: "List-Unsubscribe=One-Click")
            #expect(try await evidence(fixture) == ConsentEvidence(method: "withdrawal-page", actor: "subject"))
        }
    }

    @Test("nothing that a reader sends stands in a page, and a language that there is not is English")
    func nothingEchoed() async throws {
        try await with { fixture, path in
            let hostile = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E"
            for path in [path, "/preferences/acme"] {
                let page = try await fixture.ask(.get, "\(path)?lang=\(hostile)&x=hostile", language: "hostile\"><b>")
                #expect(page.status == 200)
                #expect(page.body == (try await fixture.ask(.get, path).body))
                #expect(page.body.contains("<html lang=\"en\""))
            }
        }
    }

    @Test("the page for everybody says how to agree: at the organization's page, or by asking")
    func preferences() async throws {
        try await with { fixture, _ in
            let asking = try await fixture.ask(.get, "/preferences/acme")
            #expect(asking.status == 200)
            #expect(asking.body.contains("ask <bdi><strong>Acme &amp; Söhne &lt;b&gt;</strong></bdi>"))
            #expect(!asking.body.contains("https:"))
            #expect(!asking.body.contains("<form") && !asking.body.contains("acme"))
            let page = try ConsentPageURL("https://shop.example/agree?a=1&b='2'")
            _ = try await fixture.storage.stores.organizations.change(
                fixture.organization, by: OrganizationChange(consentPage: .set(page)), at: .noon)
            let linked = try await fixture.ask(.get, "/preferences/acme/")
            #expect(linked.body.contains("<a href=\"https://shop.example/agree?a=1&amp;b=&#39;2&#39;\">"))
            #expect(linked.body.contains("<bdi><em>shop.example</em></bdi></a>"))
            #expect(!linked.body.contains("ask <bdi>"))
            let head = try await fixture.ask(.head, "/preferences/acme")
            #expect(head.status == 200)
            #expect(try await fixture.ask(.get, "/preferences/ac%20me").status == 404)
            let refused = try await fixture.ask(.post, "/preferences/acme")
            #expect(refused.status == 405)
            #expect(refused.headers[.allow] == "GET, HEAD")
        }
    }

    @Test("a problem document is not translated", arguments: ["/p/x", "/preferences/nobody"])
    func programs(_ path: String) async throws {
        try await with { fixture, _ in
            let german = try await fixture.ask(.get, path, accept: "*/*", language: "de")
            #expect(german.status == 404)
            #expect(german.headers[.contentType] == "application/problem+json")
            #expect(german.headers[.contentLanguage] == nil)
            #expect(german.body == (try await fixture.ask(.get, path, accept: "*/*").body))
        }
    }
}
