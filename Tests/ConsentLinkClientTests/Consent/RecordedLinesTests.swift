import Foundation
import StubService
import TestSupport
import Testing

@testable import ConsentLinkClient

@Suite struct RecordedLinesTests {
    private static let time = "2026-11-20T09:00:00.000Z"
    private static let moment = Date(timeIntervalSince1970: 1_795_165_200)

    /// Answers a record with one of the same recipient.
    private static var plan: LineService.Plan {
        var plan = LineService.Plan()
        plan.hasOrder = false
        plan.answer = { record, _ in
            guard let found = record.firstMatch(of: /"recipient":"([^"]*)"/) else {
                return #"{"error":{"status":422}}"#
            }
            return #"{"id":"1","recipient":"\#(found.1)","purpose":"tracking","state":"given","occurredAt":"\#(time)","#
                + #""recordedAt":"\#(time)"}"#
        }
        return plan
    }

    private func consents(_ count: Int) -> [NewConsent] {
        (0..<count).map { NewConsent(recipient: "\($0)@people.example", state: .given, occurredAt: Self.moment) }
    }

    private func read(_ lines: RecordedLines) async throws -> [String] {
        var recipients: [String] = []
        for try await case .recorded(let line) in lines { recipients.append(try line.parsed().recipient) }
        return recipients
    }

    @Test("connections that break ten times leave nobody out and give nobody twice", arguments: [1, 2, 3] as [UInt64])
    func cut(_ seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        var plan = Self.plan
        plan.cuts = [0, 1] + (0..<8).map { _ in Int.random(in: 2...1000, using: &generator) }
        let people = consents(15_000)
        try await LineService.with(plan) { service, base in
            let lines = try OrganizationAPI.quick(base).record(forEach: people)
            #expect(try await read(lines) == people.map(\.recipient))
            #expect(lines.connections == 11)
            #expect(service.orders == [])
            #expect(service.maximumUnansweredCount <= LineWindow.maximumUnansweredCount)
            #expect(service.recipientCount <= people.count + 10 * LineWindow.maximumUnansweredCount)
        }
    }

    @Test("records that come one by one are stored as they come")
    func asynchronous() async throws {
        try await LineService.with(Self.plan) { _, base in
            let (stream, source) = AsyncStream<NewConsent>.makeStream()
            var iterator = try OrganizationAPI.quick(base).record(forEach: stream).makeAsyncIterator()
            for consent in consents(3) {
                source.yield(consent)
                guard case .recorded(let line) = try await iterator.next() else {
                    Issue.record("not recorded")
                    return
                }
                #expect(try line.parsed().recipient == consent.recipient)
            }
            source.finish()
            #expect(try await iterator.next() == nil)
        }
    }

    @Test("a record that could not be stored is sent again, with what is behind it")
    func unavailable() async throws {
        var plan = Self.plan
        let usual = plan.answer
        plan.answer = { record, time in
            record.contains("1@") && time < 3 ? #"{"error":{"status":503,"detail":"x"}}"# : usual(record, time)
        }
        try await LineService.with(plan) { service, base in
            let pauser = Pauser()
            let people = consents(3)
            let lines = try OrganizationAPI.quick(base, pauser).record(forEach: people)
            #expect(try await read(lines) == people.map(\.recipient))
            #expect(service.recipients.map(\.count) == [3, 2, 2])
            #expect(pauser.pauses.count == 2)
        }
    }

    @Test("the line that says that the key was deleted is the answer to no record")
    func deletedKey() async throws {
        var plan = Self.plan
        let usual = plan.answer
        plan.answer = { record, time in
            record.contains("2@") ? #"{"error":{"status":401,"detail":"deleted"}}"# : usual(record, time)
        }
        try await LineService.with(plan) { service, base in
            var iterator = try OrganizationAPI.quick(base).record(forEach: consents(5)).makeAsyncIterator()
            for _ in 0..<2 {
                guard case .recorded? = try await iterator.next() else {
                    Issue.record("not recorded")
                    return
                }
            }
            do {
                _ = try await iterator.next()
                Issue.record("no error")
            } catch let error as ConsentLinkError {
                #expect(error.problem?.status == 401)
                #expect(error.problem?.detail == "deleted")
            }
            #expect(service.connections == 1)
        }
    }

    @Test("who gives consent in a stream has a time; who refuses it needs none")
    func times() async throws {
        for state in [ConsentState.refused, .withdrawn, .revoked, .invalidated] {
            try await LineService.with(Self.plan) { _, base in
                let consents = [NewConsent(recipient: "ana", state: state)]
                let lines = try OrganizationAPI.quick(base).record(forEach: consents)
                #expect(try await read(lines) == ["ana"])
            }
        }
        try await LineService.with(Self.plan) { service, base in
            let consents = [NewConsent(recipient: "ana", state: .given)]
            await #expect(
                throws: ConsentLinkError.invalidArgument("a record of a stream that gives consent needs occurredAt")
            ) {
                _ = try await read(try OrganizationAPI.quick(base).record(forEach: consents))
            }
            #expect(service.recipientCount == 0)
        }
    }
}
