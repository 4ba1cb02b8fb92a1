import Consent
import HTTPTypes
import Identifiers
import Interactions
import JSON
import Messages
import Reports
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs

@testable import HTTPAPI

/// What reports say, and to whom.
@Suite struct ReportRoutesTests {
    private static let json = #"""
        {"message":"MESSAGE","composed":4,"tracked":3,"untracked":{"noConsentRecord":1},
        "people":{"composed":3,"tracked":2,"untracked":{"noConsentRecord":1},
        "opens":{"tracked":2,"untracked":{"noConsentRecord":1}},"clickers":1,"openers":1,"possibleOpeners":0},
        "rates":{"coverage":{"value":0.666667,"n":3,"low":0.20766,"high":0.938508,"purposes":["tracking"]},
        "opensCoverage":{"value":0.666667,"n":3,"low":0.20766,"high":0.938508,"purposes":["tracking"]},
        "clickers":{"value":0.5,"n":2,"low":0.094531,"high":0.905469,"purposes":["tracking"]},
        "openers":{"value":0.5,"n":2,"low":0.094531,"high":0.905469,"purposes":["tracking"]},
        "openersAtMost":{"value":0.5,"n":2,"low":0.094531,"high":0.905469,"purposes":["tracking"]}},
        "bounds":{"clickers":{"n":3,"low":0.333333,"high":0.666667,"purposes":["tracking"]},
        "openers":{"n":3,"low":0.333333,"high":0.666667,"purposes":["tracking"]}},
        "peopleCountedUntil":null,
        "interactions":{"PushLinkClicked":{"total":3,"unique":1,"automated":1,"suspected":0},
        "MessageOpened":{"total":1,"unique":1,"automated":0,"suspected":0}},
        "opens":{"person":{"total":1,"people":1},"cannotTell":{"total":0,"people":0},"machine":{"total":0,"people":0}},
        "links":[{"index":1,"url":"https://shop.example/a","where":"link","label":null,"clicks":2,"unique":1}],
        "days":[{"day":"2026-11-22","clicks":2,"clickers":1,"opens":1,"openers":1}],
        "hours":[{"hour":0,"clicks":2,"clickers":1,"opens":1,"openers":1}]}
        """#.replacing("\n", with: "")

    private func act(_ act: (String, InteractionKind, UInt16, Visitor) async throws -> Void) async throws {
        for _ in 0..<2 { try await act("ana", .pushLinkClicked, 1, .browserAgent) }
        try await act("bo", .pushLinkClicked, 1, .scannerAgent)
        try await act("bo", .messageOpened, 0, .browserAgent)
    }

    @Test("a report has decisions, people, rates with intervals, bounds, opens, links, days and hours")
    func message() async throws {
        try await PrivateListenerFixture.withActions(
            composing: ["ana", "bo", "cy", "ana"]
        ) { listener, message, act in
            try await self.act(act)
            let report = try await listener.get("/v1/orgs/acme/messages/\(message)/report")
            #expect(report.status == 200)
            #expect(report.body == Self.json.replacing("MESSAGE", with: "\(message)"))
        }
    }

    @Test("where no open is measured, openers and their rates are null, and empty in a table")
    func unmeasured() async throws {
        try await PrivateListenerFixture.withActions { listener, message, act in
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            let unknown = #"{"value":null,"n":2,"low":null,"high":null,"purposes":["tracking"]}"#
            for path in ["messages/\(message)/report", "report?to=2026-11-22T12:00:01Z"] {
                let report = try await listener.get("/v1/orgs/acme/\(path)")
                #expect(report["people", "clickers"]?.text == "1")
                for member in ["openers", "possibleOpeners"] { #expect(report["people", member] == .null) }
                for rate in ["openers", "openersAtMost"] { #expect(report["rates", rate]?.text == unknown) }
                #expect(report["bounds", "openers"]?.text == #"{"n":2,"low":null,"high":null,"purposes":["tracking"]}"#)
                let rows = try await listener.get("/v1/orgs/acme/\(path)", accept: "text/csv").body
                for row in [
                    #""people","openers","count",,,,,,,"#, #""people","possibleOpeners","count",,,,,,,"#,
                    #""rates","openers","rate",,"2",,,,,"#, #""rates","openersAtMost","rate",,"2",,,,,"#,
                    #""bounds","openers","share",,"2",,,,,"#,
                ] {
                    #expect(rows.contains(row), "\(row)")
                }
            }
        }
    }

    @Test("without anybody there are no rates, and no one is made up")
    func empty() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let made = try await listener.post("/v1/orgs/acme/messages", #"{"name":"sale"}"#)
            let report = try await listener.get("/v1/orgs/acme/messages/\(made["id"]?.text ?? "")/report")
            #expect(
                report["rates", "coverage"]?.text
                    == #"{"value":null,"n":0,"low":null,"high":null,"purposes":["tracking"]}"#)
            #expect(report["bounds", "openers"]?.text == #"{"n":0,"low":null,"high":null,"purposes":["tracking"]}"#)
            #expect(report["days"]?.text == "[]" && report["interactions"]?.text == "{}")
            let all = try await listener.get("/v1/orgs/acme/report?to=2026-11-22T12:00:01Z")
            #expect(all["messages"]?.text == "1")
            #expect(all["people", "composed"]?.text == "0")
        }
    }

    @Test("as a table each number has a row, and no cell is a formula")
    func table() async throws {
        try await PrivateListenerFixture.withActions(
            composing: ["ana", "bo", "cy", "ana"]
        ) { listener, message, act in
            try await self.act(act)
            let path = "/v1/orgs/acme/messages/\(message)/report"
            let table = try await listener.get(path, accept: "text/csv")
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            let rows = table.body.split(separator: "\r\n").map(String.init)
            let columns = [
                "message", "section", "name", "measure", "value", "n", "low", "high", "url", "where", "label",
                "purposes",
            ]
            #expect(rows.first == columns.map { "\"\($0)\"" }.joined(separator: ","))
            for row in [
                #""decisions","composed","count","4",,,,,,,"#, #""decisions","noConsentRecord","count","1",,,,,,,"#,
                #""people","composed","count","3",,,,,,,"#, #""people","clickers","count","1",,,,,,,"#,
                #""rates","coverage","rate","0.666667","3","0.20766","0.938508",,,,"tracking""#,
                #""bounds","clickers","share",,"3","0.333333","0.666667",,,,"tracking""#,
                #""interactions","PushLinkClicked","automated","1",,,,,,,"#, #""opens","person","people","1",,,,,,,"#,
                #""links","1","clicks","2",,,,"https://shop.example/a","link",,"#,
                #""days","2026-11-22","clickers","1",,,,,,,"#, #""hours","0","openers","1",,,,,,,"#,
            ] {
                #expect(rows.contains("\"\(message)\"," + row), "\(row)")
            }
            let all = try await listener.get("/v1/orgs/acme/report?to=2026-11-22T12:00:01Z", accept: "text/csv")
            #expect(all.body.contains(#""messages","made","count","1",,,,,,,"#))
            #expect(all.body.contains(#""days","2026-11-22","opens","1",,,,,,,"#))
        }
    }

    @Test("a report of the organization is about the messages made in its time")
    func organization() async throws {
        try await PrivateListenerFixture.withActions(
            composing: ["ana", "bo", "cy", "ana"]
        ) { listener, _, act in
            try await self.act(act)
            let again = try await listener.compose(["ana", "cy"], name: "another")
            #expect(again.status == 200)
            let path = "/v1/orgs/acme/report"
            let report = try await listener.get("\(path)?from=2026-11-22T12:00:00Z&to=2026-11-22T12:00:01Z")
            #expect(report["from"]?.text == "2026-11-22T12:00:00.000Z")
            #expect(report["messages"]?.text == "2" && report["composed"]?.text == "6")
            #expect(report["people", "composed"]?.text == "3" && report["people", "clickers"]?.text == "1")
            #expect(report["days"]?.text == #"[{"day":"2026-11-22","clicks":2,"opens":1}]"#)
            #expect(
                report["interactions"]?["PushLinkClicked"]?.text == #"{"total":3,"automated":1,"suspected":0}"#)
            #expect(report["opens"]?["person"]?.text == #"{"total":1}"#)
            #expect(try await listener.get("\(path)?to=2026-11-22T12:00:00Z")["messages"]?.text == "0")
            #expect(try await listener.get("/v1/orgs/nobody/report").status == 404)
        }
    }

    @Test(
        "times that make no report are refused by their name",
        arguments: [
            ("from=2026-11-22T12:00:01Z&to=2026-11-22T12:00:00Z", "/to"),
            ("from=2025-01-01T00:00:00Z&to=2026-01-02T00:00:00.001Z", "/to"), ("from=2025-01-01T00:00:00Z", "/from"),
            ("from=2027-01-01T00:00:00Z", "/from"), ("from=yesterday", "/from"), ("to=2026-11-22", "/to"),
            ("tag=", "/tag"), ("tag=%ff", "/tag"), ("form=2026-11-22T12:00:00Z", "/form"),
            ("from=2026-11-01T00:00:00Z&from=2026-11-02T00:00:00Z", "/from"),
        ])
    func refused(_ query: String, _ pointer: String) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let answer = try await listener.get("/v1/orgs/acme/report?\(query)")
            #expect(answer.status == 422)
            #expect(answer.pointers == [pointer])
        }
    }

    @Test("who may read everything may make a key for reports, and other keys may not")
    func keys() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            let reader = try await listener.key("manage", "read")
            let manager = try await listener.key("manage")
            let body = #"{"scopes":["report"]}"#
            #expect(try await listener.post("/v1/orgs/acme/keys", body, key: reader).status == 201)
            #expect(try await listener.post("/v1/orgs/acme/keys", body, key: manager).status == 403)
        }
    }

    @Test(
        "messages or people that are too many are blamed on what was given",
        arguments: [
            (nil, nil, nil, "/from"), (.noon, nil, nil, "/from"), (nil, .noon, nil, "/to"), (.noon, .noon, nil, "/to"),
            (nil, nil, "sale", "/tag"), (.noon, nil, "sale", "/from"), (nil, .noon, "sale", "/to"),
        ] as [(Timestamp?, Timestamp?, String?, String)])
    func tooMuch(_ from: Timestamp?, _ to: Timestamp?, _ tag: String?, _ pointer: String) async throws {
        let member = Problem.selectionMember(from: from, to: to, tag: try tag.map { try MessageTag($0) })
        for error in [ReportSelectionError.tooManyMessages, .tooManyPeople] {
            let problem = await #expect(throws: Problem.self) {
                try await Problem.ofSelection(at: member) { () throws -> Void in throw error }
            }
            #expect(problem?.errors.map(\.pointer.description) == [pointer])
            #expect(problem?.errors.map(\.detail) == [error.description])
        }
    }

    @Test("decisions whose counts were changed are added up")
    func greatest() {
        let counts: [DecisionReason: Int] = [.consentGiven: 1 << 62, .notOptedOut: 1 << 62, .noConsentRecord: 1 << 62]
        var writer = JSONWriter()
        writer.object { $0.decisions(counts) }
        let most = Int.maximumCountSum
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"composed":\#(most),"tracked":\#(most),"untracked":{"noConsentRecord":\#(1 << 62)}}"#)
        var table = ReportTable(subject: [])
        table.addDecisions(counts)
        #expect(String(decoding: table.csv, as: UTF8.self).contains(#""composed","count","\#(most)""#))
    }
}
