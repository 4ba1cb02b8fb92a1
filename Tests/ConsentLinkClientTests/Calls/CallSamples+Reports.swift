import Foundation
import Testing

@testable import ConsentLinkClient

/// Made of the examples in `docs/openapi.yaml`.
extension CallSample {
    static let reports = [
        CallSample(
            "GET /v1/orgs/acme/messages/m1/report", "", APIDocument.main.example(of: "reportMessage")
        ) { _, acme in
            let report: MessageReport = try await acme.report(of: "m1")
            #expect((report.composed, report.tracked, report.untracked) == (5, 3, [.noConsentRecord: 2]))
            #expect((report.people.tracked, report.people.clickers, report.people.possibleOpeners) == (1, 1, 1))
            #expect((report.people.opens.tracked, report.people.opens.untracked) == (1, [.noConsentRecord: 1]))
            #expect(report.rates.opensCoverage.estimate?.value == 0.5)
            #expect((report.rates.clickers.purposes, report.bounds.openers.purposes) == (["tracking"], ["tracking"]))
            let coverage = try #require(report.rates.coverage.estimate)
            #expect((coverage.value, coverage.low, coverage.high) == (0.5, 0.094531, 0.905469))
            #expect((report.rates.coverage.n, report.rates.openersAtMost.n) == (2, 1))
            #expect((report.bounds.clickers.range, report.bounds.openers.n) == (0.5...1, 2))
            #expect(report.interactions[.messageOpened]?.automated == 1)
            #expect((report.opens.machine.total, report.opens.cannotTell.people) == (1, 1))
            #expect((report.links.map(\.index), report.links.first?.label) == ([1, 2, 3, 4], "offers"))
            #expect((report.days.map(\.day), report.hours.map(\.clickers)) == (["2026-11-22"], [1]))
            #expect(report.peopleCountedUntil == nil)
        },
        CallSample("GET /v1/orgs/acme/messages/m1/report", "", "\"message\"\n", accepts: "text/csv") {
            same(try await $1.reportTable(of: "m1"), "\"message\"\n")
        },
        CallSample(
            "GET /v1/orgs/acme/report?from=2026-11-20T09%3A00%3A00.000Z&tag=a%20b", "",
            APIDocument.main.example(of: "reportMessages")
        ) { _, acme in
            let report = try await acme.report(
                ReportQuery(from: Date(timeIntervalSince1970: 1_795_165_200), tag: "a b"))
            #expect((report.messages, report.tag, report.people.openers) == (2, nil, 1))
            #expect(report.from < report.to)
            #expect(report.rates.clickers.estimate?.high == 0.905469)
            #expect(report.interactions[.linkClicked]?.total == 2)
            #expect((report.opens.person.total, report.days.map(\.opens)) == (1, [1]))
        },
        CallSample("GET /v1/orgs/acme/report", "", "\"from\"\n", accepts: "text/csv") {
            same(try await $1.reportTable(), "\"from\"\n")
        },
    ]
}
