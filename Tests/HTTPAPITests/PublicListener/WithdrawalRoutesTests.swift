import Consent
import HTTPTypes
import Identifiers
import Messages
import Pages
import Redirect
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing

@testable import HTTPAPI

@Suite struct WithdrawalRoutesTests {
    private func with(
        _ enforcement: Enforcement = .restrictive, _ body: (PublicListenerFixture) async throws -> Void
    ) async throws {
        let fixture = try await PublicListenerFixture(enforcement)
        defer { fixture.end() }
        try await body(fixture)
    }

    private static let pressable = "<button>"

    @Test("looking changes nothing, pressing turns tracking off for the very next click, and once more adds nothing")
    func withdrawing() async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            try await fixture.record(.given, for: ana)
            let reference = try await fixture.reference(of: ana, message)
            let path = "/p/" + (try fixture.token(message, reference))
            let revocations = fixture.recordingRules.rules(of: fixture.organization).revocations(for: .tracking)
            for method in [HTTPRequest.Method.get, .head, .get] {
                let page = try await fixture.ask(method, path)
                #expect(page.status == 200)
                #expect(page.body.contains(Self.pressable) == (method == .get))
                #expect(page.body.contains("tracking is on") == (method == .get))
            }
            #expect(try await fixture.history(of: ana).count == 1)
            #expect(!revocations.contains(reference, at: .noon))

            for _ in 1...3 {
                let page = try await fixture.ask(.post, path)
                #expect(page.status == 200)
                #expect(page.body.contains("tracking is off"))
                #expect(!page.body.contains(Self.pressable))
                #expect(revocations.contains(reference, at: .noon))
            }
            let history = try await fixture.history(of: ana)
            #expect(history.map(\.state) == [.given, .withdrawn])
            #expect(history.last?.evidence == ConsentEvidence(method: "withdrawal-page", actor: "subject"))
            #expect(try await fixture.ask(.get, path).body.contains("tracking is off"))
        }
    }

    @Test("any link of the message will do, however old, and whether its message is switched off or not")
    func anyLink() async throws {
        try await with { fixture in
            let message = try await fixture.message()
            _ = try await fixture.storage.stores.messages.setDisabled(
                true, message: message.id, in: fixture.organization)
            for (number, link) in [0, 1, 7, 65535].enumerated() {
                let recipient = try RecipientID("person\(number)@example.com")
                try await fixture.record(.given, for: recipient)
                let reference = try await fixture.reference(of: recipient, message)
                let token = try fixture.token(message, reference, link: UInt16(link), expires: 1)
                #expect(try await fixture.ask(.get, "/p/\(token)").body.contains(Self.pressable))
                #expect(try await fixture.ask(.post, "/p/\(token)/?utm=1").status == 200)
                let history = try await fixture.history(of: recipient)
                #expect(history.last?.state == .withdrawn)
            }
        }
    }

    @Test("it is about the purpose of the message alone")
    func purpose() async throws {
        try await with { fixture in
            let (ana, offers) = (try RecipientID("ana@example.com"), try Purpose("offers"))
            let message = try await fixture.message(offers)
            try await fixture.record(.given, for: ana)
            try await fixture.record(.given, for: ana, offers)
            let token = try fixture.token(message, try await fixture.reference(of: ana, message))
            #expect(try await fixture.ask(.get, "/p/\(token)").body.contains("<em>offers</em>"))
            _ = try await fixture.ask(.post, "/p/\(token)")
            let history = try await fixture.history(of: ana)
            #expect(history.filter { $0.state == .withdrawn }.map(\.purpose) == [offers])
        }
    }

    @Test("a page about the usual purpose names it once the organization has another, before a press and after it")
    func otherPurposes() async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            try await fixture.record(.given, for: ana)
            let path = "/p/" + (try fixture.token(message, try await fixture.reference(of: ana, message)))
            #expect(try await !fixture.ask(.get, path).body.contains("<em>tracking</em>"))
            try await fixture.record(.given, for: ana, Purpose("open-tracking"))
            #expect(try await !fixture.ask(.get, path).body.contains("<em>tracking</em>"))
            try await fixture.record(.given, for: ana, Purpose("offers"))
            #expect(try await fixture.ask(.get, path).body.contains("<em>tracking</em>"))
            let pressed = try await fixture.ask(.post, path).body
            #expect(pressed.contains("tracking is off") && pressed.contains("<em>tracking</em>"))
        }
    }

    @Test("a recipient who is off without having said no can still say it", arguments: [false, true])
    func silence(_ hasExpired: Bool) async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            if hasExpired {
                // Ended at this very moment.
                let record = try NewConsentRecord(
                    recipient: ana, purpose: .tracking, state: .given,
                    occurredAt: Timestamp.noon.advanced(byMilliseconds: -10),
                    validUntil: .noon, evidence: nil, now: .noon)
                _ = try await fixture.storage.stores.consents.append(
                    [record], in: fixture.organization, at: .noon, fingerprint: nil)
            }
            let path = "/p/" + (try fixture.token(message, try await fixture.reference(of: ana, message)))
            let page = try await fixture.ask(.get, path).body
            #expect(page.contains("tracking is off"))
            #expect(page.contains(Self.pressable))
            #expect(try await !fixture.ask(.post, path).body.contains(Self.pressable))
            let history = try await fixture.history(of: ana)
            #expect(history.last?.state == .withdrawn)
        }
    }

    @Test("silence is consent only where the organization's enforcement says so")
    func lenient() async throws {
        try await with(.nonRestrictive) { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            let path = "/p/" + (try fixture.token(message, try await fixture.reference(of: ana, message, .notOptedOut)))
            #expect(try await fixture.ask(.get, path).body.contains("tracking is on"))
            #expect(try await fixture.ask(.post, path).body.contains("tracking is off"))
            #expect(try await fixture.ask(.get, path).body.contains("tracking is off"))
        }
    }

    @Test("a recipient who was erased is not made known again")
    func erased() async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            try await fixture.record(.given, for: ana)
            let path = "/p/" + (try fixture.token(message, try await fixture.reference(of: ana, message)))
            try await fixture.erase(ana)
            for method in [HTTPRequest.Method.get, .post] {
                let page = try await fixture.ask(method, path)
                #expect(page.status == 200)
                #expect(page.body.contains("Nothing is known any more"))
                #expect(!page.body.contains(Self.pressable))
            }
            #expect(try await fixture.history(of: ana).isEmpty)
        }
    }

    @Test("what is not genuine is not found, in the redirect's own words", arguments: [HTTPRequest.Method.get, .post])
    func forged(_ method: HTTPRequest.Method) async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            try await fixture.record(.given, for: ana)
            let reference = try await fixture.reference(of: ana, message)
            let token = try fixture.token(message, reference)
            let flipped = token.prefix(20) + (token.dropFirst(20).first == "A" ? "B" : "A") + token.dropFirst(21)
            let stranger = try TrackingIDForeign.token(message, reference)
            for forged in [
                String(token.dropLast()), token + "A", String(flipped), stranger, "x", token + "=", token + "//",
                "%" + String(token.utf8.first.map { $0 } ?? 0, radix: 16) + token.dropFirst(),
            ] {
                let page = try await fixture.ask(method, "/p/\(forged)")
                #expect(page.status == 404)
                #expect(page.body == RefusalResponse(.linkNotFound).content(in: .english).body)
                let problem = try await fixture.ask(method, "/p/\(forged)", accept: "*/*")
                #expect(problem.body == RefusalResponse(.linkNotFound).content(in: nil).body)
                #expect(problem.headers[.contentType] == "application/problem+json")
            }
            #expect(try await fixture.history(of: ana).count == 1)
        }
    }

    @Test("while the store is out nothing is said and nothing is lost")
    func outage() async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            try await fixture.record(.given, for: ana)
            let path = "/p/" + (try fixture.token(message, try await fixture.reference(of: ana, message)))
            for method in [HTTPRequest.Method.get, .post] {
                let page = try await fixture.ask(method, path, consent: ConsentStoreOutage())
                #expect(page.status == 503)
                #expect(page.headers[.retryAfter] == "2")
                #expect(page.headers[.contentType] == "text/html; charset=utf-8")
                #expect(!page.body.contains("tracking is"))
            }
            #expect(try await fixture.history(of: ana).count == 1)
            #expect(try await fixture.ask(.post, path).body.contains("tracking is off"))
        }
    }

    @Test(
        "the page says who sends, safely, and nothing of the person or the message",
        arguments: [HTTPRequest.Method.get, .post])
    func discreet(_ method: HTTPRequest.Method) async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            try await fixture.record(.given, for: ana)
            let token = try fixture.token(message, try await fixture.reference(of: ana, message))
            let page = try await fixture.ask(method, "/p/\(token)")
            #expect(page.body.contains("Acme &amp; Söhne &lt;b&gt;"))
            for secret in ["ana@", "example", token, "secret", "spring", message.id.description, "acme"] {
                #expect(!page.body.contains(secret), "\(secret)")
            }
        }
    }

    @Test("nothing may run, be loaded, be kept or frame it")
    func headers() async throws {
        try await with { fixture in
            let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message())
            try await fixture.record(.given, for: ana)
            let token = try fixture.token(message, try await fixture.reference(of: ana, message))
            let page = try await fixture.ask(.get, "/p/\(token)")
            let policy = try #require(page.headers[.contentSecurityPolicy])
            let directives = Set(policy.split(separator: ";").map { $0.trimmingPrefix(" ") })
            #expect(
                directives.isSuperset(of: [
                    "default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
                ]))
            #expect(!policy.contains("unsafe"))
            #expect(!policy.contains("script-src"))
            #expect(page.headers[.cacheControl] == "no-store")
            #expect(page.headers[.xContentTypeOptions] == "nosniff")
            #expect(HTTPField.Name("Referrer-Policy").flatMap { page.headers[$0] } == "no-referrer")
            #expect(HTTPField.Name("X-Robots-Tag").flatMap { page.headers[$0] } == "noindex, nofollow")
            #expect(page.headers[values: .setCookie].isEmpty)
        }
    }

    @Test("other methods are refused by name of those that are allowed")
    func methods() async throws {
        try await with { fixture in
            let answer = try await fixture.ask(.put, "/p/x")
            #expect(answer.status == 405)
            #expect(answer.headers[.allow] == "GET, HEAD, POST")
        }
    }
}
