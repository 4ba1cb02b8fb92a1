import HTTPTypes
import Testing

@testable import HTTPAPI

/// Looks at recipients through the API, in an organization that records them.
@Suite struct AccessRoutesTests {
    private static let ana = #"{"recipient":"ana@example.com"}"#
    private static let acme = "/v1/orgs/acme"

    /// Requests about Ana, and what each looks at.
    private static let samples: [(path: String, what: String)] = [
        ("consents/query", "consents"), ("consent-requests/query", "consentRequests"), ("decisions/query", "decisions"),
        ("interactions/query", "interactions"), ("recipients/export", "export"), ("audits", "export"),
        ("accesses/query", "accesses"),
    ]

    private static func reason(_ text: String) -> HTTPFields { [.known("Access-Reason"): text] }

    private static func with(_ body: (PrivateListenerFixture) async throws -> Void) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.consent("ana@example.com", "given")
            _ = try await listener.ask(.patch, acme, pieces: [#"{"recordAccess":true}"#])
            try await body(listener)
        }
    }

    private static func recorded(_ listener: PrivateListenerFixture) async throws -> [[String]] {
        let answer = try await listener.get("\(acme)/accesses")
        try #require(answer.status == 200)
        return answer["accesses"]?.items.map { access in
            ["who", "what", "recipient", "reason"].map { access[$0]?.text ?? "" }
        } ?? []
    }

    @Test("every look is recorded with its reason, by whom and at what", arguments: samples.indices)
    func looks(_ index: Int) async throws {
        try await Self.with { listener in
            let (path, what) = Self.samples[index]
            let key = try await listener.key("read")
            let answer = try await listener.ask(
                .post, "\(Self.acme)/\(path)", pieces: [Self.ana], key: key,
                headers: Self.reason("complaint%204711%3A %C3%A9"))
            #expect(answer.status == 200)
            let recorded = try await Self.recorded(listener)
            #expect(recorded.count == 1)
            #expect(recorded.first?.dropFirst() == [what, "ana@example.com", "complaint 4711: é"][...])
            #expect(recorded.first?.first?.hasPrefix("key:") == true)
        }
    }

    @Test("without a reason nothing is answered and nothing recorded", arguments: samples.indices)
    func missing(_ index: Int) async throws {
        try await Self.with { listener in
            let path = "\(Self.acme)/\(Self.samples[index].path)"
            let answer = try await listener.ask(.post, path, pieces: [Self.ana])
            #expect(answer.status == 422)
            #expect(answer.body.contains("Access-Reason"))
            #expect(!answer.body.contains("ana@example.com"))
            #expect(try await Self.recorded(listener) == [])
        }
    }

    @Test(
        "a reason that is none is refused and not repeated",
        arguments: [
            "", "%20", "a%00b", "a%0Ab", "%ED%A0%80", "%C3", "%4", "%zz", "\u{E9}", String(repeating: "x", count: 501),
        ])
    func malformed(_ reason: String) async throws {
        try await Self.with { listener in
            let answer = try await listener.ask(
                .post, "\(Self.acme)/consents/query", pieces: [Self.ana], headers: Self.reason(reason))
            #expect(answer.status == 422)
            #expect(answer.body.contains("Access-Reason"))
            #expect(reason.count < 4 || !answer.body.contains(reason))
            #expect(try await Self.recorded(listener) == [])
        }
    }

    @Test("who looks is asked for a reason only where the organization says so, and then at once")
    func setting() async throws {
        try await Self.with { listener in
            for (isOn, status) in [(false, 200), (true, 422)] {
                _ = try await listener.ask(.patch, Self.acme, pieces: [#"{"recordAccess":\#(isOn)}"#])
                let answer = try await listener.ask(.post, "\(Self.acme)/consents/query", pieces: [Self.ana])
                #expect(answer.status == status)
            }
            #expect(try await Self.recorded(listener) == [])
        }
    }

    @Test("lists and feeds are of all recipients, and no looks at one")
    func lists() async throws {
        try await Self.with { listener in
            for path in ["decisions", "interactions", "consents", "accesses"] {
                #expect(try await listener.get("\(Self.acme)/\(path)").status == 200, "\(path)")
            }
            for path in ["decisions/query", "interactions/query", "audits", "accesses/query"] {
                let answer = try await listener.ask(.post, "\(Self.acme)/\(path)", pieces: ["{}"])
                #expect(answer.status == 200, "\(path)")
            }
            #expect(try await Self.recorded(listener) == [])
        }
    }

    @Test("an audit export that shows a recipient who became known while it was made has a look that names them")
    func knownMeanwhile() async throws {
        try await Self.with { listener in
            let (held, hold) = AsyncStream.makeStream(of: Void.self)
            let (released, release) = AsyncStream.makeStream(of: Void.self)
            listener.checkpoints.beforeNextWrite {
                hold.finish()
                for await _ in released {}
            }
            // The next export waits for the checkpoint of this one.
            async let other = listener.post("\(Self.acme)/audits", "{}")
            defer { release.finish() }
            for await _ in held {}
            async let export = listener.post(
                "\(Self.acme)/audits", #"{"recipient":"eve@example.com"}"#, headers: Self.reason("complaint"))
            defer { release.finish() }
            while try await Self.recorded(listener).isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            try await listener.consent("eve@example.com", "given")
            release.finish()
            #expect(try await other.status == 200)
            let answer = try await export
            #expect(answer.status == 200 && answer.body.contains("given") && answer.body.contains("eve@example.com"))
            #expect(
                try await Self.recorded(listener).map { $0.suffix(2) } == [
                    ["eve@example.com", "complaint"], ["null", "null"],
                ])
        }
    }

    @Test("a look at an unknown recipient is recorded without the recipient and the reason")
    func unknown() async throws {
        try await Self.with { listener in
            let answer = try await listener.ask(
                .post, "\(Self.acme)/consents/query", pieces: [#"{"recipient":"bo@example.com"}"#],
                headers: Self.reason("who is bo"))
            #expect(answer.status == 200)
            #expect(try await Self.recorded(listener) == [["operator", "consents", "null", "null"]])
        }
    }

    @Test("looks are listed page by page, by recipient and by who")
    func pages() async throws {
        try await Self.with { listener in
            for number in 0..<3 {
                _ = try await listener.ask(
                    .post, "\(Self.acme)/consents/query", pieces: [Self.ana], headers: Self.reason("look \(number)"))
            }
            let first = try await listener.get("\(Self.acme)/accesses?limit=2&who=operator")
            #expect(first["accesses"]?.items.map { $0["reason"]?.text } == ["look 2", "look 1"])
            let next = try #require(first["next"]?.text)
            let second = try await listener.get("\(Self.acme)/accesses?limit=2&after=\(next)")
            #expect(second["accesses"]?.items.map { $0["reason"]?.text } == ["look 0"])
            #expect(try await listener.get("\(Self.acme)/accesses?who=key:17")["accesses"]?.items.count == 0)
            for wrong in ["who=ana", "after=x", "limit=0", "recipient=ana", "from=yesterday"] {
                #expect(try await listener.get("\(Self.acme)/accesses?\(wrong)").status == 422, "\(wrong)")
            }
        }
    }
}
