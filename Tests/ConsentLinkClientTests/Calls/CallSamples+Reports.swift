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
        CallSample(
            "GET /v1/orgs/acme/consent-report?from=2026-11-20T09%3A00%3A00.000Z&purpose=news", "",
            APIDocument.main.example(of: "reportConsents")
        ) { _, acme in
            let report = try await acme.consentReport(
                ConsentReportQuery(from: Date(timeIntervalSince1970: 1_795_165_200), purpose: "news"))
            #expect((report.purpose, report.purposes) == (nil, ["newsletter"]))
            let day = try #require(report.days.first)
            #expect((day.day, day.given, day.expired, day.stock.given) == ("2026-11-22", 12, 1, 340))
            #expect((report.ending.within30Days, report.ending.within90Days) == (7, 31))
            #expect((report.evidence.methodAndNotice, report.evidence.none) == (11, 1))
            #expect((report.methods.map(\.method), report.otherMethods) == (["web-form"], 1))
            #expect((report.notices.first?.version, report.notices.first?.given) == ("3", 11))
        },
        CallSample("GET /v1/orgs/acme/consent-report", "", "\"from\"\n", accepts: "text/csv") {
            same(try await $1.consentReportTable(), "\"from\"\n")
        },
        CallSample(
            "GET /v1/orgs/acme/decisions/summary?from=2026-11-20T09%3A00%3A00.000Z", "",
            APIDocument.main.example(of: "summarizeDecisions")
        ) { _, acme in
            let totals = try await acme.decisionTotals(from: Date(timeIntervalSince1970: 1_795_165_200))
            #expect((totals.decisions, totals.tracked, totals.untracked) == (9, 5, 4))
            #expect(totals.reasons == [.consentGiven: 5, .noConsentRecord: 4])
            #expect(totals.days?.map(\.day) == ["2026-11-22"])
        },
        CallSample(
            "GET /v1/orgs/acme/decisions/summary?message=m1", "",
            #"{"message":"m1","from":null,"to":null,"decisions":1,"tracked":0,"untracked":1,"#
                + #""reasons":{"consentExpired":1},"days":null}"#
        ) { _, acme in
            let totals = try await acme.decisionTotals(of: "m1")
            #expect((totals.reasons, totals.days, totals.from) == ([.consentExpired: 1], nil, nil))
        },
        CallSample(
            "GET /v1/orgs/acme/decisions/sample?seed=dice%204711&size=2&reason=consentGiven", "",
            APIDocument.main.example(of: "sampleDecisions")
        ) { _, acme in
            let sample = try await acme.sampleDecisions(
                DecisionSampleQuery(seed: "dice 4711", size: 2, reason: .consentGiven))
            #expect((sample.seed, sample.through, sample.draws, sample.isComplete) == ("dice 4711", 1500, 3, true))
            #expect(sample.sample.map(\.leaf) == [1309, 740])
            #expect(sample.sample.first?.decision.reason == .consentGiven)
        },
    ]
}
