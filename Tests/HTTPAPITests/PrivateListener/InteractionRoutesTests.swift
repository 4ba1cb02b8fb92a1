import HTTPTypes
import Identifiers
import Interactions
import JSON
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs

@testable import HTTPAPI

/// What recipients did, as backends read it.
@Suite struct InteractionRoutesTests {
    private static let path = "/v1/orgs/acme/interactions"

    @Test("an interaction is told with its link and whether it was the first, and a message's own has no link")
    func members() async throws {
        try await PrivateListenerFixture.withActions { listener, message, act in
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            try await act("ana", .pushNotificationOpened, 0, .browserAgent)
            let feed = try await listener.get(Self.path)
            let items = feed["interactions"]?.items ?? []
            #expect(items.count == 2)
            #expect(
                items.first?.text
                    == #"{"id":"3357d7d9f4000001","type":"PushLinkClicked","occurredAt":"2026-11-22T12:00:00.000Z","#
                    + #""recordedAt":"2026-11-22T12:00:00.005Z","recipient":"ana","message":"\#(message)","#
                    + #""link":{"index":1,"url":"https://shop.example/a","label":null},"action":null,"#
                    + #""source":"redirect","automated":false,"first":true,"#
                    + #""visitor":"person","visitorReason":"browserAgent"}"#)
            #expect(items.last?["link"] == .null)
        }
    }

    @Test("an untracked decision shows what was recorded of the recipient and the message since then")
    func afterUntracked() async throws {
        try await PrivateListenerFixture.withActions { listener, _, act in
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            listener.time.advance(byMilliseconds: 1000)
            try await listener.consent("ana", "withdrawn")
            let composed = try await listener.compose(["ana"])
            let decision = composed["payloads"]?.items.first?["decision"]
            #expect(decision?["reason"]?.text == "consentWithdrawn")
            listener.time.advance(byMilliseconds: 1000)
            try await listener.consent("ana", "given")
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            let answer = try await listener.get("/v1/orgs/acme/decisions/\(decision?["id"]?.text ?? "")")
            #expect(answer["interactions"]?.items.map { $0["id"]?.text } == ["3357d7d9f4000002"])
            #expect(answer["next"] == .null)
        }
    }

    @Test("a reader whose key is deleted while it waits gets nothing of what comes then", arguments: [false, true])
    func deleted(isAboutOne: Bool) async throws {
        try await PrivateListenerFixture.withActions { listener, _, act in
            let answer = try await listener.answer(afterDeletionOf: "read") {
                try await act("ana", .pushLinkClicked, 1, .browserAgent)
            } _: { key in
                isAboutOne
                    ? try await listener.post("\(Self.path)/query", #"{"recipient":"ana","wait":30}"#, key: key)
                    : try await listener.get("\(Self.path)?wait=30", key: key)
            }
            #expect(answer.status == 401 && !answer.body.contains("ana"))
        }
    }

    @Test("a reader who follows the cursor gets each interaction once, in order, also those that come later")
    func cursor() async throws {
        try await PrivateListenerFixture.withActions { listener, _, act in
            for recipient in ["ana", "bo", "ana", "bo", "ana"] {
                try await act(recipient, .pushLinkClicked, 1, .browserAgent)
            }
            var (read, cursor, pages) = ([String](), "0", 0)
            func readOn() async throws {
                while true {
                    let page = try await listener.get("\(Self.path)?limit=2&after=\(cursor)")
                    read += (page["interactions"]?.items ?? []).map { $0["id"]?.text ?? "" }
                    cursor = page["cursor"]?.text ?? ""
                    pages += 1
                    guard page["next"] != .null else { return }
                    #expect(page["next"]?.text == cursor)
                }
            }
            try await readOn()
            #expect(read.count == 5 && pages == 3)
            try await readOn()
            #expect(read.count == 5, "the cursor of the last page is the end")
            try await act("bo", .messageOpened, 0, .browserAgent)
            try await readOn()
            #expect(read == read.sorted() && read.count == 6 && Set(read).count == 6)
            let lines = try await listener.get("\(Self.path)?after=\(read[3])", accept: "application/x-ndjson")
            #expect(lines.lines.map { $0["id"]?.text } == read[4...].map { $0 }, "an id is a place, too")
        }
    }

    @Test("a reader who waited in vain goes on behind what does not fit, and gets what comes then")
    func passed() async throws {
        try await PrivateListenerFixture.withActions { listener, _, act in
            for recipient in ["ana", "bo"] { try await act(recipient, .pushLinkClicked, 1, .browserAgent) }
            let end = try #require(try await listener.get(Self.path)["cursor"]?.text)
            let none = try await listener.get("\(Self.path)?link=9&wait=1")
            #expect(none["interactions"]?.items.isEmpty == true && none["next"] == .null)
            #expect(none["cursor"]?.text == end)
            try await act("ana", .pushLinkClicked, 9, .browserAgent)
            let later = try await listener.get("\(Self.path)?link=9&after=\(end)")
            #expect(later["interactions"]?.items.count == 1)
        }
    }

    @Test("filters choose by kind, recipient and time, the end not included")
    func filters() async throws {
        try await PrivateListenerFixture.withActions { listener, message, act in
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            listener.time.advance(byMilliseconds: 1000)
            try await act("bo", .pushLinkClicked, 1, .browserAgent)
            try await act("bo", .messageOpened, 0, .browserAgent)
            func count(_ query: String) async throws -> Int? {
                try await listener.get("\(Self.path)?\(query)")["interactions"]?.items.count
            }
            #expect(try await count("type=MessageOpened") == 1)
            #expect(try await count("from=2026-11-22T12:00:01Z") == 2)
            #expect(try await count("to=2026-11-22T12:00:01Z") == 1)
            #expect(try await count("message=\(message)") == 3)
            try await act("bo", .pushLinkClicked, 7, .scannerAgent)
            for (query, found) in [
                ("link=1", 2), ("link=7", 1), ("link=9", 0), ("automated=true", 1), ("automated=false", 3),
                ("first=true", 3), ("first=false", 1), ("link=7&automated=false", 0), ("link=1&first=true", 2),
                ("type=MessageOpened&automated=false&first=true", 1), ("link=1&type=MessageOpened", 0),
                ("link=1&type=PushLinkClicked", 2), ("activity=clicks", 3), ("activity=opens", 1),
                ("activity=clicks&link=7", 1), ("activity=opens&link=7", 0), ("activity=opens&type=PushLinkClicked", 0),
            ] {
                #expect(try await count(query) == found, "\(query)")
                for type in ["application/x-ndjson", "text/csv"] {
                    let answer = try await listener.get("\(Self.path)?\(query)", accept: type)
                    let lines = answer.body.split(separator: type == "text/csv" ? "\r\n" : "\n")
                    #expect(lines.count == (type == "text/csv" ? found + 1 : found), "\(query)")
                }
            }
            for (query, name) in [
                ("link=0", "link"), ("link=65536", "link"), ("link=x", "link"), ("automated=1", "automated"),
                ("first=True", "first"), ("first=", "first"), ("links=1", "links"), ("activity=click", "activity"),
            ] {
                #expect(try await listener.get("\(Self.path)?\(query)").pointers == ["/\(name)"], "\(query)")
            }
            #expect(try await count("message=3357d7d9f4000001") == 0)
            for (body, found) in [
                (#"{"recipient":"bo"}"#, 3), (#"{"recipient":"bo","type":"PushLinkClicked"}"#, 2), (#"{"limit":1}"#, 1),
                (#"{"recipient":"bo","link":7}"#, 1), (#"{"automated":true}"#, 1),
                (#"{"recipient":"bo","first":true}"#, 2), (#"{"recipient":"bo","activity":"clicks"}"#, 2),
                (#"{"recipient":"bo","activity":"opens"}"#, 1), (#"{"activity":null}"#, 4),
            ] {
                let answer = try await listener.post("\(Self.path)/query", body)
                #expect(answer["interactions"]?.items.count == found, "\(body)")
            }
            for (body, pointer) in [
                (#"{"limit":0}"#, "/limit"), (#"{"limit":"1"}"#, "/limit"), (#"{"type":"click"}"#, "/type"),
                (#"{"link":0}"#, "/link"), (#"{"link":"1"}"#, "/link"), (#"{"automated":"true"}"#, "/automated"),
                (#"{"first":1}"#, "/first"), (#"{"after":"p"}"#, "/after"), (#"{"recipient":""}"#, "/recipient"),
                (#"{"outcome":"x"}"#, "/outcome"), (#"{"activity":"all"}"#, "/activity"),
            ] {
                #expect(try await listener.post("\(Self.path)/query", body).pointers == [pointer], "\(body)")
            }
        }
    }

    @Test("a filter chooses what people did, what machines did, or that of which neither is known")
    func visitors() async throws {
        try await PrivateListenerFixture.withActions { listener, _, act in
            for visitor in [Visitor.browserAgent, .gmailImageProxy, .appleMailPrivacy, .bareAgent, .formerMachine] {
                try await act("ana", .messageOpened, 0, visitor)
            }
            for (asked, found) in [
                ("person", ["browserAgent"]), ("machine", ["appleMailPrivacy", "notKept"]),
                ("cannotTell", ["gmailImageProxy", "bareAgent"]),
            ] {
                let lists = [
                    try await listener.get("\(Self.path)?visitor=\(asked)"),
                    try await listener.post("\(Self.path)/query", #"{"recipient":"ana","visitor":"\#(asked)"}"#),
                ]
                for items in lists.map({ $0["interactions"]?.items ?? [] }) {
                    #expect(items.map { $0["visitorReason"]?.text } == found)
                    #expect(items.allSatisfy { $0["visitor"]?.text == asked })
                    #expect(items.allSatisfy { $0["automated"]?.text == "\(asked == "machine")" })
                }
            }
            #expect(try await listener.get("\(Self.path)?visitor=nobody").pointers == ["/visitor"])
            #expect(try await listener.post("\(Self.path)/query", #"{"visitor":""}"#).pointers == ["/visitor"])
        }
    }

    @Test("a table has a column for everything, and what is not there is empty")
    func csv() async throws {
        try await PrivateListenerFixture.withActions { listener, message, act in
            try await act("ana", .pushLinkClicked, 1, .browserAgent)
            try await act("bo", .messageOpened, 0, .crawlerAgent)
            let table = try await listener.get(Self.path, accept: "text/csv")
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            let rows = table.body.split(separator: "\r\n")
            #expect(rows.count == 3)
            let columns = [
                "id", "type", "occurredAt", "recordedAt", "recipient", "message", "link.index", "link.url",
                "link.label", "action", "source", "automated", "first", "visitor", "visitorReason",
            ]
            #expect(rows.first.map(String.init) == columns.map { "\"\($0)\"" }.joined(separator: ","))
            #expect(
                rows.dropFirst().first?.hasSuffix(
                    #""ana","\#(message)","1","https://shop.example/a",,,"redirect","false","true","person","browserAgent""#
                ) == true)
            #expect(rows.last?.contains(#""bo","\#(message)",,,,,"redirect","true","#) == true)
        }
    }

    @Test("a report counts what people did once and in all, and what programs did apart")
    func report() async throws {
        try await PrivateListenerFixture.withActions { listener, message, act in
            for recipient in ["ana", "ana", "bo"] { try await act(recipient, .pushLinkClicked, 1, .browserAgent) }
            try await act("bo", .pushLinkClicked, 1, .scannerAgent)
            try await act("bo", .messageOpened, 0, .crawlerAgent)
            let report = try await listener.get("/v1/orgs/acme/messages/\(message)/report")
            #expect(report["composed"]?.text == "2" && report["tracked"]?.text == "2")
            #expect(report["untracked"]?.text == "{}")
            let clicks = report["interactions"]?["PushLinkClicked"]
            #expect(clicks?["total"]?.text == "4" && clicks?["unique"]?.text == "2")
            #expect(clicks?["automated"]?.text == "1")
            let opened = report["interactions"]?["MessageOpened"]
            #expect(opened?["total"]?.text == "1" && opened?["unique"]?.text == "0")
            #expect(report["interactions"]?["PushNotificationOpened"] == nil)
            #expect(report["links"]?.items.map { $0["url"]?.text } == ["https://shop.example/a"])
        }
    }
}
