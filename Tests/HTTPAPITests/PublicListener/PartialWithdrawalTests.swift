import Consent
import HTTPTypes
import Identifiers
import SQLStorage
import SQLiteStorage
import TestSupport
import Testing

@testable import HTTPAPI

/// The page of a message whose clicks and opens have a purpose each.
@Suite struct PartialWithdrawalTests {
    private let purposes: MessagePurposes

    init() throws { purposes = MessagePurposes(clicks: .tracking, opens: try Purpose("open-tracking")) }

    private func with(
        _ body: (PublicListenerFixture, String, RecipientID) async throws -> Void
    ) async throws {
        let fixture = try await PublicListenerFixture(.restrictive)
        defer { fixture.end() }
        let (ana, message) = (try RecipientID("ana@example.com"), try await fixture.message(purposes))
        for purpose in purposes.distinct { try await fixture.record(.given, for: ana, purpose) }
        let token = try fixture.token(message, try await fixture.reference(of: ana, message))
        try await body(fixture, "/p/\(token)", ana)
    }

    private func withdrawn(_ fixture: PublicListenerFixture, _ ana: RecipientID) async throws -> [Purpose] {
        try await fixture.history(of: ana)
            .filter { $0.state == .withdrawn }.map(\.purpose)
    }

    @Test("a button ends its own part and leaves the other on; the other button ends the rest")
    func oneByOne() async throws {
        try await with { fixture, path, ana in
            let before = try await fixture.ask(.get, path)
            #expect(before.body.contains("<h1>Message tracking is on</h1>"))
            let half = try await fixture.ask(.post, path + "?lang=sv", form: "clicks=off")
            #expect(half.body.contains("delvis"))
            #expect(try await withdrawn(fixture, ana) == [purposes.clicks])
            #expect(try await fixture.ask(.get, path).body.contains("<h1>Message tracking is partly on</h1>"))
            let again = try await fixture.ask(.post, path, form: "clicks=off")
            #expect(again.body.contains("partly on"))
            let rest = try await fixture.ask(.post, path, form: "opens=off")
            #expect(rest.body.contains("<h1>Message tracking is off</h1>"))
            #expect(try await withdrawn(fixture, ana) == [purposes.clicks, purposes.opens])
            let history = try await fixture.history(of: ana)
            #expect(history.suffix(2).map(\.evidence?.language) == ["sv", nil])
        }
    }

    @Test(
        "what names no part is about all of it",
        arguments: [
            nil, "", "List-Unsubscribe=One-Click", "clicks=off&opens=off", "x",
            String(repeating: "clicks&", count: 99),
        ])
    func all(_ form: String?) async throws {
        try await with { fixture, path, ana in
            let page = try await fixture.ask(.post, path, form: form)
            #expect(page.body.contains("<h1>Message tracking is off</h1>"))
            #expect(!page.body.contains("<button"))
            #expect(try await withdrawn(fixture, ana) == purposes.distinct)
        }
    }

    @Test(
        "a part is named by a form, with any parameters of its media type, and by nothing else",
        arguments: [
            ("application/x-www-form-urlencoded; charset=UTF-8", false), ("application/x-www-form-urlencodedx", true),
            ("text/plain", true),
        ])
    func mediaTypes(_ type: String, _ isAboutAll: Bool) async throws {
        try await with { fixture, path, ana in
            _ = try await fixture.ask(.post, path, form: "clicks=off", type: type)
            #expect(try await withdrawn(fixture, ana) == (isAboutAll ? purposes.distinct : [purposes.clicks]))
        }
    }

    @Test("a person who said no to one part sees both, and can say no to the other alone")
    func mixed() async throws {
        try await with { fixture, path, ana in
            try await fixture.record(.refused, for: ana, purposes.opens)
            let page = try await fixture.ask(.get, path).body
            #expect(page.contains("partly on") && page.contains("name=\"clicks\"") && !page.contains("name=\"opens\""))
            _ = try await fixture.ask(.post, path)
            #expect(try await withdrawn(fixture, ana) == [purposes.clicks], "a no stays the no that it was")
        }
    }

    @Test("after a no to links on a page that asks apart, the page of another message shows that opens are recorded")
    func elsewhere() async throws {
        try await with { fixture, path, ana in
            let ordinary = try await fixture.message()
            let token = try fixture.token(ordinary, try await fixture.reference(of: ana, ordinary))
            _ = try await fixture.ask(.post, path, form: "clicks=off")
            let page = try await fixture.ask(.get, "/p/\(token)").body
            #expect(page.contains("partly on") && page.contains("name=\"opens\"") && !page.contains("name=\"clicks\""))
            #expect(try await fixture.ask(.post, "/p/\(token)", form: "opens=off").body.contains("tracking is off"))
            #expect(try await withdrawn(fixture, ana) == purposes.distinct)
        }
    }

    @Test("a no to opens shows on the page of a message that does not ask apart")
    func opensRefused() async throws {
        try await with { fixture, _, ana in
            let ordinary = try await fixture.message()
            let token = try fixture.token(ordinary, try await fixture.reference(of: ana, ordinary))
            try await fixture.record(.refused, for: ana, purposes.opens)
            let page = try await fixture.ask(.get, "/p/\(token)").body
            #expect(page.contains("partly on") && page.contains("name=\"clicks\"") && !page.contains("name=\"opens\""))
        }
    }
}
