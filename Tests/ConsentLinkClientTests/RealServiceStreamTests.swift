import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ConsentLinkClient

/// Lines, tables, reports and tiles against the program itself.
@Suite struct RealServiceStreamTests {
    private let moment = Date(timeIntervalSince1970: 1_767_225_600)

    /// - Parameter body: is given an organization, and the service.
    private func with(_ body: (OrganizationAPI, RunningService) async throws -> Void) async throws {
        try await RunningService.with { service in
            let api = try ConsentLinkAPI(service.api, key: service.operatorKey)
            let quotas = Quotas(requestsPerMinute: 100_000)
            let organization = NewOrganization(
                id: "acme", enforcement: .restrictive, retention: RetentionChange(interactions: .forever),
                quotas: quotas, requireEvidence: true)
            let made = try await api.createOrganization(organization)
            #expect((made.organization.quotas, made.organization.requireEvidence) == (quotas, true))
            #expect(made.organization.retention == Retention(interactions: .forever, decisions: .days(1825)))
            try await body(try ConsentLinkAPI(service.api, key: made.key.secret).organization("acme"), service)
        }
    }

    private func given(_ recipient: String) -> NewConsent {
        NewConsent(
            recipient: recipient, state: .given, occurredAt: moment,
            evidence: Evidence(method: "import", notice: .init(id: "privacy")))
    }

    @Test("consents as lines are stored and answered in order, and those that do not fit are refused alone")
    func consents() async throws {
        try await with { acme, _ in
            let people = (0..<2500).map { "\($0)@people.example" }
            let bare = NewConsent(recipient: "bare@people.example", state: .given, occurredAt: moment)
            var (recorded, refused): ([String], [String]) = ([], [])
            for try await line in acme.record(forEach: people.map(given) + [bare, given("")]) {
                switch line {
                case .recorded(let consent): recorded.append(try consent.parsed().recipient)
                case .refused(let problem): refused += problem.errors.map(\.pointer)
                }
            }
            #expect(recorded == people)
            #expect(refused == ["/evidence/method", "/evidence/notice", "/recipient"])
            #expect(try await acme.consent(of: people[2499]).current.map(\.since) == [moment])
            for try await _ in acme.record(forEach: [NewConsent]()) { Issue.record("an answer to nothing") }
        }
    }

    @Test("consents that come one by one are answered as they come")
    func consentsAsTheyCome() async throws {
        try await with { acme, _ in
            let (stream, source) = AsyncStream<NewConsent>.makeStream()
            var iterator = acme.record(forEach: stream).makeAsyncIterator()
            for recipient in ["ana", "bo"] {
                source.yield(given(recipient))
                guard case .recorded = try await iterator.next() else {
                    Issue.record("not recorded")
                    return
                }
                #expect(try await acme.consent(of: recipient).history.count == 1)
            }
            source.finish()
            #expect(try await iterator.next() == nil)
        }
    }

    @Test("a stream whose key is deleted says so and answers nothing more")
    func deletedKey() async throws {
        try await with { acme, service in
            let key = try await acme.createKey(scopes: [.consent])
            let importer = try ConsentLinkAPI(service.api, key: key.secret).organization("acme")
            let (stream, source) = AsyncStream<NewConsent>.makeStream()
            var iterator = importer.record(forEach: stream).makeAsyncIterator()
            source.yield(given("ana"))
            _ = try #require(try await iterator.next())
            try await acme.deleteKey(key.id)
            source.yield(given("bo"))
            do {
                _ = try await iterator.next()
                Issue.record("no error")
            } catch let error as ConsentLinkError { #expect(error.problem?.status == 401) }
            #expect(try await acme.consent(of: "bo").history == [])
        }
    }

    @Test("mails and previews as lines are answered in order")
    func mails() async throws {
        try await with { acme, _ in
            try await acme.record([given("ana")])
            let sale = try await acme.createMessage(Message(name: "sale", link: "https://shop.example/"))
            var mails: [RewrittenMailLine] = []
            let order = RewriteOrder(messageId: sale.id, text: "https://shop.example/a")
            let sent = [
                PersonalMail(recipient: "ana", html: "<a href=\"/b\">b</a>"), PersonalMail(recipient: "bo"),
                PersonalMail(recipient: ""),
            ]
            var refused = 0
            for try await line in try acme.rewrite(order, forEach: sent) {
                switch line {
                case .mail(let mail): mails.append(try mail.parsed())
                case .refused: refused += 1
                }
            }
            #expect((mails.map(\.recipient), mails.map(\.tracked), refused) == (["ana", "bo"], [true, false], 1))
            #expect(mails.map { $0.skipped.map(\.reason) } == [["relative"], []])
            #expect(mails[0].text != order.text && mails[1].text == order.text && mails[1].html == nil)
            try await previews(acme, sale)
        }
    }

    private func previews(_ acme: OrganizationAPI, _ sale: StoredMessage) async throws {
        let order = PayloadOrder(.stored(sale.id), format: .plain)
        let before = try await acme.report(of: sale.id).composed
        let previewed = try await acme.preview(order, for: ["ana", "bo"])
        #expect(previewed.message == sale.id)
        #expect(previewed.payloads.map(\.reason) == [.consentGiven, .noConsentRecord])
        #expect(previewed.payloads[0].payload.text.contains("preview000"))
        var lines: [PreviewedPayload] = []
        for try await case .payload(let preview) in try acme.preview(order, forEach: ["ana", "bo", ""]) {
            lines.append(preview)
        }
        #expect(lines == previewed.payloads)
        #expect(try await acme.report(of: sale.id).composed == before)
        let unsaved = PayloadOrder(Message(name: "unsaved", link: "https://shop.example/"), format: .plain)
        #expect(try await acme.preview(unsaved, for: ["ana"]).message == nil)
        #expect(try await items(acme.messages(MessageQuery(namePrefix: "unsaved"))).isEmpty)
    }

    @Test("messages are listed by name, tag and time, newest first")
    func messages() async throws {
        try await with { acme, _ in
            let start = Date()
            var ids: [String] = []
            for (name, tags) in [("a&b+é 1", ["shop"]), ("a&b+é 2", ["shop", "x y"]), ("other", [])] {
                ids.append(try await acme.createMessage(Message(name: name, link: "https://x.example/", tags: tags)).id)
            }
            func list(_ query: MessageQuery) async throws -> [String] {
                try await items(acme.messages(query)).map(\.id)
            }
            #expect(try await list(MessageQuery()) == ids.reversed())
            #expect(try await list(MessageQuery(namePrefix: "a&b+é ")) == [ids[1], ids[0]])
            #expect(try await list(MessageQuery(tag: "x y")) == [ids[1]])
            #expect(try await list(MessageQuery(to: start.addingTimeInterval(-60))) == [])
            #expect(try await list(MessageQuery(from: start.addingTimeInterval(-60))).count == 3)
            let first = try await acme.messagePage(limit: 2)
            #expect(try await acme.messagePage(after: first.next, limit: 2).messages.map(\.id) == [ids[0]])
        }
    }

    @Test("reports, tables and feeds tell a person's click")
    func reports() async throws {
        try await with { acme, service in
            try await acme.record([given("ana")])
            let sale = Message(name: "sale", link: "https://shop.example/", tags: ["shop"])
            let composed = try await acme.compose(PayloadOrder(sale, format: .plain), for: ["ana", "bo"])
            let link = try composed.payloads[0].payload.decoded(as: [String: String].self)["link"] ?? ""
            var click = HTTPClientRequest(url: link.replacing(RunningService.publicURL, with: service.links))
            click.headers.add(name: "User-Agent", value: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0")
            _ = try await SharedHTTPClient.client.execute(click, timeout: .seconds(10))
            let report = try await acme.report(of: composed.message)
            #expect((report.composed, report.tracked, report.untracked) == (2, 1, [.noConsentRecord: 1]))
            #expect(
                (report.people.clickers, report.rates.clickers.estimate?.value, report.rates.coverage.n) == (1, 1, 2))
            #expect(report.links.map(\.clicks) == [1] && report.days.map(\.clickers) == [1])
            #expect(report.hours.map(\.hour) == [0] && report.interactions[.linkClicked]?.unique == 1)
            #expect(try await acme.reportTable(of: composed.message).contains("\"coverage\""))
            let dashboard = try await acme.createKey(scopes: [.report])
            let reader = try ConsentLinkAPI(service.api, key: dashboard.secret).organization("acme")
            let campaign = try await reader.report(ReportQuery(tag: "shop"))
            #expect((campaign.messages, campaign.tag, campaign.people.clickers) == (1, "shop", 1))
            #expect(try await reader.consentReport().days.last?.stock.given == 1)
            #expect(try await reader.consentReportTable(ConsentReportQuery(purpose: "tracking")).contains("\"stock\""))
            #expect(try await acme.decisionTotals().reasons == [.consentGiven: 1, .noConsentRecord: 1])
            #expect(try await acme.decisionTotals(of: composed.message).tracked == 1)
            let sample = try await acme.sampleDecisions(DecisionSampleQuery(seed: "dice", outcome: .tracked))
            #expect(sample.sample.map(\.decision.recipient) == ["ana"] && sample.isComplete)
            #expect(try await reader.report(ReportQuery(tag: "none")).rates.clickers.estimate == nil)
            #expect(try await reader.reportTable(ReportQuery(tag: "shop")).hasPrefix("\"from\""))
            try await tables(acme)
        }
    }

    private func tables(_ acme: OrganizationAPI) async throws {
        for (query, count) in [
            (InteractionQuery(visitor: .person, link: 1, automated: false, first: true), 1),
            (InteractionQuery(automated: true), 0), (InteractionQuery(first: false), 0), (InteractionQuery(link: 2), 0),
        ] {
            let page = try await acme.interactions(query)
            #expect(page.interactions.map(\.visitorReason) == Array(repeating: .browserAgent, count: count))
        }
        var table = ""
        for try await piece in try acme.exportInteractionTable(InteractionQuery(recipient: "ana")) {
            table += String(buffer: piece)
        }
        #expect(table.split(whereSeparator: \.isNewline).count == 2 && table.contains("browserAgent"))
        table = ""
        for try await piece in try acme.exportDecisionTable() { table += String(buffer: piece) }
        #expect(table.split(whereSeparator: \.isNewline).count == 3 && table.contains("\"ana\""))
        #expect(try await acme.consentHistory(of: "ana").text.contains("dpv:ConsentRecord"))
    }

    @Test("the tree of the ledger is read tile by tile")
    func ledger() async throws {
        try await with { acme, _ in
            for try await _ in acme.record(forEach: (0..<300).map { given("\($0)@people.example") }) {}
            var size = 0
            while size < 300 { size = try await acme.ledger().size }
            #expect(try await acme.tile(level: 0, index: 0).count == 256)
            #expect(try await acme.tile(level: 0, index: 1, width: size - 256).count == size - 256)
            #expect(try await acme.tile(level: 1, index: 0, width: 1).map(\.count) == [32])
            var entries: [String] = []
            for try await entry in acme.ledgerEntries(upTo: size) {
                entries.append(String(decoding: entry, as: UTF8.self))
            }
            #expect(entries.count == size)
            #expect(entries.filter { $0.contains(#""type":"consent""#) }.count == 300)
            #expect(!entries.joined().contains("@people.example"))
            let error = try await #require(throws: ConsentLinkError.self) {
                _ = try await acme.tile(level: 0, index: 5)
            }
            #expect(error.problem?.status == 404)
        }
    }
}
