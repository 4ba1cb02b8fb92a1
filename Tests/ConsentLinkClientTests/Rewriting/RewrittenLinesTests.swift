import StubService
import TestSupport
import Testing

@testable import ConsentLinkClient

@Suite struct RewrittenLinesTests {
    private let order = RewriteOrder(messageId: "m", text: "t")

    /// Answers a mail with one of the same recipient.
    private static var plan: LineService.Plan {
        var plan = LineService.Plan()
        plan.answer = { mail, _ in
            guard let found = mail.firstMatch(of: /"recipient":"([^"]*)"/) else { return #"{"error":{"status":422}}"# }
            return #"{"recipient":"\#(found.1)","tracked":true,"decision":{"id":"1","outcome":"tracked","#
                + #""reason":"consentGiven"},"text":"t","skipped":[]}"#
        }
        return plan
    }

    private func mails(_ count: Int, html: String? = nil) -> [PersonalMail] {
        (0..<count).map { PersonalMail(recipient: "\($0)@people.example", html: html) }
    }

    private func read(_ lines: RewrittenLines) async throws -> [String] {
        var recipients: [String] = []
        for try await case .mail(let line) in lines { recipients.append(try line.parsed().recipient) }
        return recipients
    }

    @Test("connections that break ten times leave no mail out and give none twice", arguments: [1, 2, 3] as [UInt64])
    func cut(_ seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var plan = Self.plan
        plan.cuts = [0, 1] + (0..<8).map { _ in Int.random(in: 2...1000, using: &generator) }
        let mails = mails(15_000)
        try await LineService.with(plan) { service, base in
            let lines = try OrganizationAPI.quick(base).rewrite(order, forEach: mails)
            #expect(try await read(lines) == mails.map(\.recipient))
            #expect(lines.connections == 11)
            #expect(Set(service.orders) == [#"{"messageId":"m","text":"t"}"#])
        }
    }

    @Test("mails that are larger than what may wait are sent one after the other")
    func large() async throws {
        let mails = mails(6, html: String(repeating: "x", count: 1 << 20))
        try await LineService.with(Self.plan) { _, base in
            let lines = try OrganizationAPI.quick(base).rewrite(order, forEach: mails)
            #expect(try await read(lines) == mails.map(\.recipient))
        }
    }

    @Test("mails that come one by one are rewritten as they come, and a refused one is told")
    func asynchronous() async throws {
        var plan = Self.plan
        let usual = plan.answer
        plan.answer = { mail, time in
            mail.contains("1@") ? #"{"error":{"status":422,"detail":"no"}}"# : usual(mail, time)
        }
        try await LineService.with(plan) { _, base in
            let (stream, source) = AsyncStream<PersonalMail>.makeStream()
            var iterator = try OrganizationAPI.quick(base).rewrite(order, forEach: stream).makeAsyncIterator()
            for (index, mail) in mails(3).enumerated() {
                source.yield(mail)
                switch try await iterator.next() {
                case .mail(let line): #expect(try line.parsed().recipient == mail.recipient)
                case .refused(let problem): #expect((index, problem.detail) == (1, "no"))
                case nil: Issue.record("no answer")
                }
            }
            source.finish()
            #expect(try await iterator.next() == nil)
        }
    }
}
