import ConsentLinkClient
import StubService
import Synchronization
import TestSupport
import Testing

@testable import consentlink

@Suite struct CampaignTests {
    private struct Outcome {
        var summary: Campaign.Summary?
        var failure: CommandFailure?
        var answers = ""
    }

    /// The lines of a request but its order.
    private static func recipients(_ request: StubServer.Request) -> [String] {
        request.body.split(separator: "\n").dropFirst().map { String($0.dropFirst().dropLast()) }
    }

    private static func reply(_ recipients: [String]) -> StubServer.Reply {
        StubServer.Reply(
            headers: [("ConsentLink-Message", "m1"), ("ConsentLink-Unsupported-Members", "icon, sound")],
            body: recipients.map { Answers.payload($0, tracked: $0 != "bo") + "\n" }.joined())
    }

    private func run(
        _ recipients: String, after earlier: String = "", patience: Duration = .seconds(60),
        at server: StubServer, in folder: TemporaryFolder
    ) async throws -> Outcome {
        let file = try AnswerFile(path: try folder.write(earlier, to: "answers"), mayResume: true)
        var splitter = AnswerSplitter()
        try file.resume(&splitter)
        let client = try APIClient(base: server.base, key: "k")
        let exchange = LineExchange(
            transport: client.api.transport, path: "/v1/orgs/acme/payloads", order: Array("{}\n".utf8),
            patience: patience, silence: .seconds(60))
        let campaign = Campaign(
            client: client, exchange: exchange,
            source: try InputFile(path: try folder.write(recipients, to: "recipients")),
            notation: .text(takesAll: false), output: file, journal: nil, bar: nil)
        var outcome = Outcome()
        do { outcome.summary = try await campaign.run(after: splitter) } catch let failure as CommandFailure {
            outcome.failure = failure
        }
        outcome.answers = try folder.text(of: "answers")
        return outcome
    }

    private func run(
        _ recipients: String, after earlier: String = "", patience: Duration = .seconds(60),
        _ answer: @escaping @Sendable (StubServer.Request, Int) -> StubServer.Reply
    ) async throws -> (Outcome, [StubServer.Request]) {
        try await TemporaryFolder.with { folder in
            try await StubServer.with(answer) { server in
                (try await run(recipients, after: earlier, patience: patience, at: server, in: folder), server.requests)
            }
        }
    }

    @Test("every line is answered with a line, and the summary counts them")
    func whole() async throws {
        let (outcome, requests) = try await run("ana\nbo\ncy\n") { request, _ in Self.reply(Self.recipients(request)) }
        let summary = try #require(outcome.summary)
        #expect((summary.message, summary.connections) == ("m1", 1))
        #expect(summary.unsupportedMembers == ["icon", "sound"])
        #expect((summary.counts.lines, summary.counts.payloads, summary.counts.tracked) == (3, 3, 2))
        #expect(requests.map(\.line) == ["POST /v1/orgs/acme/payloads"])
        #expect(requests[0].body == "{}\n\"ana\"\n\"bo\"\n\"cy\"\n")
        #expect(requests[0].headers["content-type"] == "application/x-ndjson")
        #expect(outcome.answers.split(separator: "\n").count == 3)
    }

    @Test("a connection that breaks is gone on with behind the last whole answer")
    func brokenOff() async throws {
        let (outcome, requests) = try await run("ana\nbo\ncy\n") { request, count in
            var reply = Self.reply(Self.recipients(request))
            guard count == 1 else { return reply }
            reply.body = Answers.payload("ana") + "\n" + #"{"recipient":"b"#
            reply.breaksOff = true
            return reply
        }
        let summary = try #require(outcome.summary)
        #expect(requests.map(\.body) == ["{}\n\"ana\"\n\"bo\"\n\"cy\"\n", "{}\n\"bo\"\n\"cy\"\n"])
        #expect((summary.connections, summary.counts.lines) == (2, 3))
        #expect(
            outcome.answers
                == [Answers.payload("ana"), Answers.payload("bo", tracked: false), Answers.payload("cy")]
                .map { $0 + "\n" }.joined())
    }

    @Test("an answer that ends too early is gone on with")
    func short() async throws {
        let (outcome, requests) = try await run("ana\nbo\n") { request, count in
            Self.reply(Array(Self.recipients(request).prefix(1)))
        }
        #expect(outcome.summary?.counts.lines == 2)
        #expect(requests.map(Self.recipients) == [["ana", "bo"], ["bo"]])
    }

    @Test("a line that the service could not store is sent again, with what is behind it")
    func unavailableLine() async throws {
        let (outcome, requests) = try await run("ana\nbo\ncy\n") { request, count in
            var reply = Self.reply(Self.recipients(request))
            if count == 1 {
                reply.body = [Answers.payload("ana"), Answers.refusal(503), Answers.payload("cy")]
                    .map { $0 + "\n" }.joined()
            }
            return reply
        }
        #expect(outcome.summary?.counts.lines == 3)
        #expect(requests.map(Self.recipients) == [["ana", "bo", "cy"], ["bo", "cy"]])
        #expect(outcome.answers.split(separator: "\n").count == 3)
    }

    @Test("a service that cannot just now is asked again")
    func unavailable() async throws {
        let (outcome, requests) = try await run("ana\n") { request, count in
            count < 3 ? .problem(503, "no room") : Self.reply(Self.recipients(request))
        }
        #expect(outcome.summary?.connections == 3)
        #expect(requests.count == 3)
    }

    @Test("when patience ends, what the service says is told, and what is answered stays")
    func patience() async throws {
        let (outcome, _) = try await run("ana\nbo\n", patience: .zero) { _, _ in .problem(503, "no room") }
        #expect(outcome.failure?.description == "consentlink: no room")
        #expect(outcome.answers == "")
    }

    @Test(
        "a refusal of the order ends it at once",
        arguments: [(403, "consentlink: no"), (422, "consentlink: no"), (413, "consentlink: no")])
    func refused(_ status: Int, _ text: String) async throws {
        let (outcome, requests) = try await run("ana\n") { _, _ in .problem(status, "no") }
        #expect(outcome.failure?.description == text)
        #expect(requests.count == 1)
    }

    @Test("an organization that is not there is named")
    func notFound() async throws {
        let (outcome, _) = try await run("ana\n") { _, _ in .problem(404, "nothing here") }
        #expect(outcome.failure?.description.contains("there is no organization of this name at http://") == true)
    }

    @Test("more answers than lines is no service to go on with")
    func tooMany() async throws {
        let (outcome, requests) = try await run("ana\n") { _, _ in Self.reply(["ana", "bo"]) }
        let text = try #require(outcome.failure?.description)
        #expect(text.hasSuffix(" is not one of this service: the service answers more lines than it was sent"))
        #expect(requests.count == 1)
    }

    @Test("a service that is not there is not waited for")
    func nobody() async throws {
        let (outcome, requests) = try await run("ana\n") { _, _ in .init(isSilent: true) }
        #expect(outcome.failure?.description.contains("cannot reach http://127.0.0.1:") == true)
        #expect(requests.count == 1)
    }

    @Test("a run that goes on sends what was not answered, and numbers refusals from the first line of all")
    func resumed() async throws {
        let earlier = Answers.payload("ana") + "\n" + Answers.refusal(422) + "\n" + #"{"recip"#
        let (outcome, requests) = try await run("ana\nx\nbo\ny\n", after: earlier) { request, _ in
            var reply = Self.reply(["bo"])
            reply.body += Answers.refusal(422, "no y") + "\n"
            return reply
        }
        let summary = try #require(outcome.summary)
        #expect(requests.map(Self.recipients) == [["bo", "y"]])
        #expect((summary.counts.lines, summary.counts.refused) == (4, 2))
        #expect(summary.counts.refusals.map(\.line) == [2, 4])
        #expect(outcome.answers.split(separator: "\n").count == 4)
    }

    @Test("a run that goes on with other recipients is stopped before anything is sent for them")
    func otherRecipients() async throws {
        let (outcome, _) = try await run("eve\nbo\n", after: Answers.payload("ana") + "\n") { _, _ in
            .problem(503, "not now")
        }
        let text = "line 1 of the recipients is not the recipient that was answered there"
        #expect(outcome.failure?.description.contains(text) == true)
        #expect(outcome.answers == Answers.payload("ana") + "\n")
    }

    @Test("recipients that changed before the last answer are noticed, and nothing behind them is sent")
    func changedRecipients() async throws {
        let earlier = ["ana", "bo", "cy"].map { Answers.payload($0) + "\n" }.joined() + #"{"recip"#
        let (outcome, _) = try await run("ana\neve\ncy\ndi\n", after: earlier) { request, _ in
            Self.recipients(request).isEmpty ? .problem(503, "not now") : Self.reply(Self.recipients(request))
        }
        #expect(
            outcome.failure?.description.contains("the first 3 recipients are not those who were answered") == true)
        #expect(outcome.answers == earlier, "the file is left as it was")
    }

    @Test("no recipients are an order without lines")
    func empty() async throws {
        let (outcome, requests) = try await run("") { request, _ in Self.reply([]) }
        #expect(outcome.summary?.counts.lines == 0)
        #expect(requests.map(\.body) == ["{}\n"])
    }
}
