import Foundation
import StubService
import Testing

@testable import ConsentLinkClient

@Suite struct WireTimeTests {
    @Test(
        "a time is written in UTC with milliseconds, and read back as the same",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_399_999, "2000-02-28T23:59:59.999Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_793_188_800_123, "2026-10-28T12:00:00.123Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"), (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)])
    func both(_ milliseconds: Int64, _ text: String) throws {
        let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
        #expect(try WireTime.text(date) == text)
        let read = try #require(WireTime.date(text))
        #expect(Int64((read.timeIntervalSince1970 * 1000).rounded()) == milliseconds)
    }

    @Test("every millisecond of a second comes back as it was")
    func milliseconds() throws {
        for millisecond in 0..<1000 {
            let zeros = String(repeating: "0", count: 3 - String(millisecond).count)
            let text = "2026-11-20T09:00:00.\(zeros)\(millisecond)Z"
            #expect(try WireTime.text(#require(WireTime.date(text))) == text)
        }
    }

    @Test(
        "what the service does not write is no time",
        arguments: [
            "", "2026-11-20", "2026-11-20T09:00:00Z", "2026-11-20T09:00:00.000", "2026-11-20T09:00:00.000z",
            "2026-13-20T09:00:00.000Z", "2026-00-20T09:00:00.000Z", "2026-11-32T09:00:00.000Z",
            "2026-11-20T24:00:00.000Z", "2026-11-20T09:60:00.000Z", "2026-11-20 09:00:00.000Z",
            "2026-11-20T09:00:+1.000Z", "2026-11-20T09:00:00.00éZ",
        ])
    func noTime(_ text: String) { #expect(WireTime.date(text) == nil) }

    @Test(
        "what cannot be written is refused before anything is sent",
        arguments: [
            .nan, .infinity, -.infinity, 1e300, -1e300, 9.3e15, 253_402_300_800, 253_402_300_799.9996,
            -62_167_219_200.001,
        ] as [TimeInterval])
    func unwritable(_ seconds: TimeInterval) async throws {
        let date = Date(timeIntervalSince1970: seconds)
        try await StubServer.with({ _, _ in .json("{}") }) { server in
            let acme = try OrganizationAPI.quick(server.base)
            let consent = NewConsent(recipient: "ana", state: .given, occurredAt: date)
            let calls: [@Sendable () async throws -> Void] = [
                { try await acme.record([consent]) },
                { for try await _ in acme.record(forEach: [consent]) {} },
                { _ = try await acme.interactions(InteractionQuery(from: date)) },
                { for try await _ in try acme.exportDecisions(DecisionQuery(from: date)) {} },
                { _ = try await acme.report(ReportQuery(from: date)) },
                { _ = try await acme.consentReport(ConsentReportQuery(to: date)) },
                { _ = try await acme.decisionTotals(from: date) },
                { _ = try await acme.sampleDecisions(DecisionSampleQuery(seed: "s", size: 1, to: date)) },
                { _ = try await acme.messagePage(MessageQuery(from: date)) },
            ]
            for call in calls {
                await #expect(throws: ConsentLinkError.invalidArgument("a time must be of the years 0 to 9999")) {
                    try await call()
                }
            }
            #expect(server.requests.isEmpty)
        }
    }
}
