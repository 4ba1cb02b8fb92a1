import Consent
import Cryptography
import HTTPTypes
import Identifiers
import Pages
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing
import UseCases

@testable import HTTPAPI

/// The pages of consent requests: looking changes nothing, one press is an answer, and what is no answer is none.
@Suite struct ConsentRequestPageTests {
    private static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
    private static let given = "purpose=tracking&answer=given"

    /// A request, its recipient, and its links.
    private struct Asked {
        let fixture: PublicServiceFixture
        let request: ConsentRequest
        var storage: SQLiteStorage { fixture.listener.storage }

        func path(_ step: ConsentRequestStep = .question) throws -> String {
            let url = try fixture.requesting.url(of: request, step)
            return String(url.dropFirst("https://links.example".count))
        }

        func states() async throws -> [ConsentState] { try await history().map(\.state) }

        func history() async throws -> [ConsentRecord] {
            guard let recipient = request.recipient else { return [] }
            return try await fixture.listener.history(of: recipient)
        }

        func press(
            _ body: String = given, _ step: ConsentRequestStep = .question, headers: HTTPFields = form,
            query: String = "?lang=en"
        ) async throws -> ConnectionAnswer {
            await fixture.ask(.post, try path(step) + query, body, headers: headers)
        }
    }

    private struct NotMade: Error {}

    private func asked(
        _ fixture: PublicServiceFixture, _ name: String = "ana@example.com", text: String = "May we?",
        purposes: [Purpose] = [.tracking], needsConfirmation: Bool = false
    ) async throws -> Asked {
        let notice = ConsentNotice(
            id: "privacy", version: "3", sha256: Hexadecimal.encode(SHA256.hash(of: Array(text.utf8))),
            language: "de-AT", body: .text(text))
        let new = NewConsentRequest(
            recipient: try RecipientID(name), purposes: purposes, notice: notice, needsConfirmation: needsConfirmation)
        let outcome = try await fixture.listener.storage.stores.consentRequests.ask(
            new, pausing: AskingPause(days: 0), in: fixture.listener.organization, at: .noon, fingerprint: nil)
        guard case .made(let request) = outcome else { throw NotMade() }
        return Asked(fixture: fixture, request: request)
    }

    @Test("looking changes nothing, with any method that looks, however often")
    func looking() async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture)
            for method in [HTTPRequest.Method.get, .head, .get, .head] {
                let page = await fixture.ask(method, try asked.path())
                #expect(page.status == 200)
                #expect(page.headers[.cacheControl] == "no-store")
                #expect(page.answer.body.contains("May we?") == (method == .get))
            }
            let other = await fixture.ask(.put, try asked.path())
            #expect(other.status == 405 && other.headers[.allow] == "GET, HEAD, POST")
            #expect(try await asked.states().isEmpty)
            let left = try await asked.storage.stores.consentRequests.request(asked.request.id)
            #expect(left == asked.request)
        }
    }

    @Test("one press records the answer, with the notice, the method and the language of the page as evidence")
    func pressing() async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture)
            let page = try await asked.press(query: "?lang=fr")
            #expect(page.status == 200)
            #expect(page.answer.body.contains("Vous avez dit oui"))
            let record = try #require(try await asked.history().first)
            #expect(record.state == .given)
            #expect(
                record.evidence
                    == ConsentEvidence(
                        method: "consent-request", notice: asked.request.notice?.evidence, actor: "subject",
                        language: "fr"))
            #expect(try await asked.press().status == 200)
            #expect(try await asked.states() == [.given])
            fixture.time.advance(byMilliseconds: 5)
            let no = try await asked.press("purpose=tracking&answer=refused")
            #expect(no.answer.body.contains("You said no"))
            #expect(try await asked.states() == [.given, .refused])
        }
    }

    @Test("each purpose has two buttons of the same kind, the one for yes first")
    func buttons() async throws {
        try await PublicServiceFixture.with { fixture in
            let offers = try Purpose("offers")
            let asked = try await asked(fixture, purposes: [.tracking, offers])
            let page = await fixture.ask(.get, try asked.path()).answer.body
            let buttons = page.matches(of: /<button name="answer" value="(given|refused)">/).map { String($0.1) }
            #expect(buttons == ["given", "refused", "given", "refused"])
            #expect(page.contains(#"name="purpose" value="offers""#))
            _ = try await asked.press("purpose=offers&answer=refused")
            let history = try await asked.history()
            #expect(history.map(\.purpose) == [offers])
        }
    }

    @Test("the buttons of each purpose are named by its question, and lead to it on the page that answers")
    func places() async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture, purposes: [.tracking, Purpose("offers.by-mail")])
            for page in [await fixture.ask(.get, try asked.path()), try await asked.press()] {
                for purpose in ["tracking", "offers.by-mail"] {
                    let body = page.answer.body
                    #expect(body.ranges(of: "<section id=\"about-\(purpose)\">").count == 1)
                    #expect(body.ranges(of: "<h2 id=\"question-\(purpose)\">").count == 1)
                    #expect(body.contains("action=\"?lang=en#about-\(purpose)\""))
                    #expect(body.contains("role=\"group\" aria-labelledby=\"question-\(purpose)\""))
                }
            }
        }
    }

    @Test(
        "what is no answer of the page's form records nothing",
        arguments: [
            "", "answer=given", "purpose=tracking", "purpose=tracking&answer=yes", "purpose=tracking&answer=withdrawn",
            "purpose=offers&answer=given", "purpose=tracking&answer=given&answer=refused",
            "purpose=tracking&answer=given&extra=1", "purpose=tracking;answer=given", "purpose=Tracking&answer=given",
            "List-Unsubscribe=One-Click", "{}", "purpose=tracking&answer=given&", "&purpose=tracking&answer=given",
            "purpose=tracking&answer=given" + String(repeating: "a", count: 4096),
        ])
    func noAnswer(_ body: String) async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture)
            #expect(try await asked.press(body).status == 422)
            #expect(try await asked.states().isEmpty)
        }
    }

    @Test(
        "an answer of another type is none", arguments: ["application/json", "text/plain", "multipart/form-data", nil])
    func otherType(_ type: String?) async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture)
            let answer = try await asked.press(headers: type.map { [.contentType: $0] } ?? [:])
            #expect(answer.status == 422)
            #expect(try await asked.states().isEmpty)
        }
    }

    @Test("a link that is cut, altered or of another kind is not found, and neither is a tracking ID")
    func forged() async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture, "bo@example.com")
            let path = try asked.path()
            let (message, reference) = try await fixture.sent()
            let token = try fixture.listener.token(message, reference)
            for path in ["/c/", "/c/x", String(path.dropLast()), path + "A", path + "//", "/c/\(token)"] {
                #expect(await fixture.ask(.get, path).status == 404, "\(path)")
                let pressed = await fixture.ask(.post, path, Self.given, headers: Self.form)
                #expect(pressed.status == 404, "\(path)")
            }
            #expect(await fixture.ask(.get, "/p/" + path.dropFirst(3)).status == 404)
            #expect(await fixture.ask(.get, path + "/?utm=1").status == 200)
            #expect(await fixture.ask(.get, path + "/%E3%80%8D?utm=1").status == 200)
            #expect(try await asked.states().isEmpty)
            #expect(await fixture.ask(.post, path + "/%E3%80%8D", Self.given, headers: Self.form).status == 200)
            #expect(try await asked.states() == [.given])
        }
    }

    @Test("expired, erased, asked again, answered elsewhere: each says so, and records nothing")
    func closed() async throws {
        try await PublicServiceFixture.with { fixture in
            let (first, other) = (try await asked(fixture), try await asked(fixture, "bo@example.com"))
            let erased = try await asked(fixture, "cy@example.com")
            let second = try await asked(fixture)
            let newer = try await first.press()
            #expect(newer.status == 409 && newer.answer.body.contains("asked you again"))
            try await fixture.listener.record(.withdrawn, for: RecipientID("bo@example.com"))
            let later = try await other.press()
            #expect(later.status == 409 && later.answer.body.contains("A later answer"))
            try await fixture.listener.erase(RecipientID("cy@example.com"))
            for answer in [try await erased.press(), await fixture.ask(.get, try erased.path())] {
                #expect(answer.status == 410 && answer.answer.body.contains("Nothing is known any more"))
                #expect(!answer.answer.body.contains("May we?"))
            }
            fixture.time.advance(byMilliseconds: 30 * 86_400_000)
            for answer in [try await second.press(), await fixture.ask(.get, try second.path())] {
                #expect(answer.status == 410 && answer.answer.body.contains("too old"))
            }
            #expect(try await second.states().isEmpty)
            #expect(try await other.states() == [.withdrawn])
        }
    }

    @Test("a yes that needs a confirmation counts only after the second link; anybody with the first cannot give it")
    func confirming() async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture, needsConfirmation: true)
            for _ in 0..<3 {
                let page = try await asked.press()
                #expect(page.status == 200 && page.answer.body.contains("second message"))
            }
            #expect(try await asked.states().isEmpty)
            #expect(await fixture.ask(.get, try asked.path(.confirmation)).answer.body.contains("Was that you?"))
            #expect(try await asked.states().isEmpty)
            #expect(try await asked.press(Self.given, .confirmation).status == 200)
            #expect(try await asked.states() == [.given])
        }
    }

    @Test("who has the first link of two gets no receipt of it; who has the only one, or the second, does")
    func receipts() async throws {
        try await PublicServiceFixture.with { fixture in
            let (forwarded, own) = (
                try await asked(fixture, needsConfirmation: true), try await asked(fixture, "bo@example.com")
            )
            let no = try await forwarded.press("purpose=tracking&answer=refused")
            #expect(no.answer.body.contains("You said no") && !no.answer.body.contains("/receipt/"))
            _ = try await forwarded.press()
            let confirmed = try await forwarded.press(Self.given, .confirmation)
            #expect(try await forwarded.states() == [.refused, .given])
            #expect(confirmed.answer.body.contains("/receipt/"))
            #expect(try await own.press().answer.body.contains("/receipt/"))
        }
    }

    @Test("the notice is text: nothing of it becomes markup, and each of its lines stands alone")
    func escaping() async throws {
        try await PublicServiceFixture.with { fixture in
            let text = "<script>alert(1)</script>\r\n\r\n\"quoted\" & 'so'</p>\n</blockquote>"
            let page = await fixture.ask(.get, try await asked(fixture, text: text).path()).answer.body
            #expect(!page.contains("<script"))
            #expect(page.contains(#"<blockquote lang="de-AT">"#))
            #expect(page.contains(#"<p dir="auto">&lt;script&gt;alert(1)&lt;/script&gt;</p>"#))
            #expect(page.matches(of: /<p dir="auto">/).count == 3)
        }
    }

    @Test("every language has every page, and says which it is", arguments: PageLanguage.allCases)
    func languages(_ language: PageLanguage) async throws {
        try await PublicServiceFixture.with { fixture in
            let asked = try await asked(fixture, purposes: [.tracking, Purpose("offers")], needsConfirmation: true)
            let headers: HTTPFields = [.acceptLanguage: language.tag]
            for page in [
                await fixture.ask(.get, try asked.path(), headers: headers),
                try await asked.press(headers: Self.form, query: "?lang=\(language.tag)"),
                await fixture.ask(.get, try asked.path(.confirmation), headers: headers),
                try await asked.press("nonsense", query: "?lang=\(language.tag)"),
            ] {
                #expect(page.headers[.contentLanguage] == language.tag)
                #expect(page.answer.body.contains(#"<html lang="\#(language.tag)""#))
                #expect(!page.answer.body.contains("{") || page.answer.body.contains("<style>"))
            }
        }
    }
}
