import StubService
import Testing

@testable import ConsentLinkClient

/// A service that refuses connections of a stream, or answers it as this service does not.
@Suite struct ComposingRefusalTests {
    private let order = PayloadOrder(.stored("m"), format: .plain)
    private let people = (0..<3000).map { "\($0)@people.example" }

    /// - Returns: the recipients of what is answered, and the error behind them.
    private func read(
        _ people: [String], _ base: String, _ pauser: Pauser = Pauser(), patience: Duration = .seconds(60)
    ) async throws -> (recipients: [String], error: (any Error)?) {
        var recipients: [String] = []
        do {
            let lines = try OrganizationAPI.quick(base, pauser).compose(order, forEach: people, patience: patience)
            for try await case .payload(let payload) in lines { recipients.append(try payload.parsed().recipient) }
        } catch { return (recipients, error) }
        return (recipients, nil)
    }

    private static let hour = RepetitionTests.Word.date(3600).header

    @Test(
        "a service that cannot just then, in the middle, is asked again when it says",
        arguments: [503, 429, 500, 502, 408],
        [("3", 3000, 3000), ("soon", 100, 200), ("-1", 100, 200), (hour, 60_000, 60_000)])
    func refusedForNow(_ status: Int, _ word: (text: String, first: Int, second: Int)) async throws {
        var plan = LineService.Plan()
        plan.cuts = [700]
        let refusal = StubServer.Reply(status: status, headers: [("Retry-After", word.text)])
        plan.refusals = [1: refusal, 2: refusal]
        try await LineService.with(plan) { service, base in
            let pauser = Pauser()
            let (recipients, error) = try await read(people, base, pauser)
            #expect(error == nil)
            #expect(recipients == people)
            #expect(service.connections == 4)
            // The first is behind the connection that broke, amid its answers.
            #expect(pauser.pauses == [0, word.first, word.second].map { .milliseconds($0) })
        }
    }

    @Test(
        "a service that refuses for good, in the middle, is not asked again", arguments: [400, 401, 403, 404, 409, 422])
    func refused(_ status: Int) async throws {
        var plan = LineService.Plan()
        plan.cuts = [700]
        plan.refusals = [1: .problem(status, "no")]
        try await LineService.with(plan) { service, base in
            let (recipients, error) = try await read(people, base)
            let failure = error as? ConsentLinkError
            #expect(failure?.problem?.status == status)
            #expect(failure?.mayHaveBeenDone == true, "lines of the connection that broke may have been carried out")
            #expect(recipients == Array(people.prefix(recipients.count)) && recipients.count <= 700)
            #expect(service.connections == 2)
        }
    }

    @Test("an answer that ends before its lines is gone on with, as long as that may help")
    func earlyEnd() async throws {
        var plan = LineService.Plan()
        let typed = [("Content-Type", "application/x-ndjson")]
        plan.refusals = [
            0: .init(headers: typed), 1: .init(headers: typed, body: "{\"rec"), 2: .init(headers: typed),
        ]
        try await LineService.with(plan) { service, base in
            let (recipients, error) = try await read(["ana", "bo"], base)
            #expect(error == nil)
            #expect(recipients == ["ana", "bo"])
            #expect(service.connections == 4)
        }
        try await LineService.with(plan) { service, base in
            let (recipients, error) = try await read(["ana"], base, Pauser(most: 2))
            #expect(error is Pauser.TooMany)
            #expect((recipients, service.connections) == ([], 3))
        }
    }

    @Test("that no service is there is an error where there are no lines to send, too")
    func noLinesAndNoService() async throws {
        let nowhere = try await StubServer.nowhere()
        let (recipients, composing) = try await read([], nowhere)
        let recording = await #expect(throws: ConsentLinkError.self) {
            for try await _ in try OrganizationAPI.quick(nowhere).record(forEach: [NewConsent]()) {}
        }
        #expect(recipients == [])
        for error in [composing as? ConsentLinkError, recording] {
            #expect(error?.mayHaveBeenDone == false)
            guard case .notConnected? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test("a service that cannot just then is asked again where there are no lines to send, too")
    func noLinesAndNotNow() async throws {
        var plan = LineService.Plan()
        plan.refusals = [0: .problem(503, "not now")]
        try await LineService.with(plan) { service, base in
            let (recipients, error) = try await read([], base)
            #expect(error == nil)
            #expect((recipients, service.connections) == ([], 2))
        }
    }

    @Test("lines that answer no recipient end the exchange with an error", arguments: [1, 2, 1000])
    func tooMany(_ count: Int) async throws {
        var plan = LineService.Plan()
        let usual = plan.answer
        plan.answer = { recipient, time in
            recipient == "\"bo\""
                ? Array(repeating: usual(recipient, time), count: count + 1).joined(separator: "\n")
                : usual(recipient, time)
        }
        try await LineService.with(plan) { service, base in
            let (recipients, error) = try await read(["ana", "bo"], base)
            #expect(error as? ConsentLinkError == .unexpectedAnswer("the service answers more lines than it was sent"))
            #expect(["ana", "bo"].starts(with: recipients))
            #expect(service.connections == 1)
        }
    }

    @Test(
        "a line that does not begin as an answer is not given",
        arguments: ["", "nonsense", "{}", "[", "null", #"{"a":1}"#, #"{"recipient":1}"#, "<html>"])
    func foreignLine(_ line: String) async throws {
        var plan = LineService.Plan()
        plan.answer = { _, _ in line }
        try await LineService.with(plan) { service, base in
            let (recipients, error) = try await read(["ana"], base)
            #expect(recipients.isEmpty && service.connections == 1)
            #expect(
                error as? ConsentLinkError == .unexpectedAnswer("a line of it is no answer to a line that was sent"))
        }
    }

    @Test(
        "a line that is no payload is an error when it is read",
        arguments: [#"{"recipient":"ana"}"#, #"{"recipient":"ana"#])
    func noPayload(_ line: String) async throws {
        var plan = LineService.Plan()
        plan.answer = { _, _ in line }
        try await LineService.with(plan) { _, base in
            let error = try await read(["ana"], base).error
            #expect(error as? ConsentLinkError == .unexpectedAnswer("it is not a payload"))
        }
    }
}
