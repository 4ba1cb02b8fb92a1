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

    /// Gives `body` a listener on which ana and bo were sent a message, and a way to have them do something with it.
    private func with(
        _ body: (
            PrivateListenerFixture, MessageID, (String, InteractionKind, UInt16, VisitorClass) async throws -> Void
        )
            async throws -> Void
    ) async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            for recipient in ["ana", "bo"] { try await listener.consent(recipient, "given") }
            let composed = try await listener.compose(["ana", "bo"])
            let message = try MessageID(composed["message"]?.text ?? "")
            var references: [String: RecipientReference] = [:]
            for payload in composed["payloads"]?.items ?? [] {
                let token = payload["payload"]?["trackingId"]?.text ?? ""
                references[payload["recipient"]?.text ?? ""] = try listener.opened(token)?.recipient
            }
            var number: UInt64 = 0x3357_D7D9_F400_0000
            try await body(listener, message) { recipient, kind, link, visitor in
                number += 1
                let occurrence = Occurrence(
                    kind: kind, source: .redirect, occurredAt: listener.time.now, message: message,
                    recipient: try #require(references[recipient]), link: LinkIndex(rawValue: link), visitor: visitor)
                let id = try #require(InteractionID(rawValue: number))
                try await listener.storage.interactions.store(
                    [SpooledOccurrence(id: id, occurrence: occurrence)], at: listener.time.now + 5)
            }
        }
    }

    @Test("an interaction is told with its link and whether it was the first, and a message's own has no link")
    func members() async throws {
        try await with { listener, message, act in
            try await act("ana", .pushLinkClicked, 1, .person)
            try await act("ana", .pushNotificationOpened, 0, .person)
            let feed = try await listener.get(Self.path)
            let items = feed["interactions"]?.items ?? []
            #expect(items.count == 2)
            #expect(
                items.first?.text
                    == #"{"id":"3357d7d9f4000001","type":"PushLinkClicked","occurredAt":"2026-11-22T12:00:00.000Z","#
                    + #""recordedAt":"2026-11-22T12:00:00.005Z","recipient":"ana","message":"\#(message)","#
                    + #""link":{"index":1,"url":"https://shop.example/a","label":null},"action":null,"#
                    + #""source":"redirect","automated":false,"first":true}"#)
            #expect(items.last?["link"] == .null)
        }
    }

    @Test("a reader who follows the cursor gets each interaction once, in order, also those that come later")
    func cursor() async throws {
        try await with { listener, _, act in
            for recipient in ["ana", "bo", "ana", "bo", "ana"] {
                try await act(recipient, .pushLinkClicked, 1, .person)
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
            try await act("bo", .messageOpened, 0, .person)
            try await readOn()
            #expect(read == read.sorted() && read.count == 6 && Set(read).count == 6)
            let lines = try await listener.get("\(Self.path)?after=\(read[3])", accept: "application/x-ndjson")
            #expect(lines.lines.map { $0["id"]?.text } == read[4...].map { $0 }, "an id is a place, too")
        }
    }

    @Test("filters choose by kind, recipient and time, the end not included")
    func filters() async throws {
        try await with { listener, message, act in
            try await act("ana", .pushLinkClicked, 1, .person)
            listener.time.advance(byMilliseconds: 1000)
            try await act("bo", .pushLinkClicked, 1, .person)
            try await act("bo", .messageOpened, 0, .person)
            func count(_ query: String) async throws -> Int? {
                try await listener.get("\(Self.path)?\(query)")["interactions"]?.items.count
            }
            #expect(try await count("type=MessageOpened") == 1)
            #expect(try await count("from=2026-11-22T12:00:01Z") == 2)
            #expect(try await count("to=2026-11-22T12:00:01Z") == 1)
            #expect(try await count("message=\(message)") == 3)
            #expect(try await count("message=3357d7d9f4000001") == 0)
            for (body, found) in [
                (#"{"recipient":"bo"}"#, 2), (#"{"recipient":"bo","type":"PushLinkClicked"}"#, 1), (#"{"limit":1}"#, 1),
            ] {
                let answer = try await listener.post("\(Self.path)/query", body)
                #expect(answer["interactions"]?.items.count == found, "\(body)")
            }
            for (body, pointer) in [
                (#"{"limit":0}"#, "/limit"), (#"{"limit":"1"}"#, "/limit"), (#"{"type":"click"}"#, "/type"),
                (#"{"after":"p"}"#, "/after"), (#"{"recipient":""}"#, "/recipient"), (#"{"outcome":"x"}"#, "/outcome"),
            ] {
                #expect(try await listener.post("\(Self.path)/query", body).pointers == [pointer], "\(body)")
            }
        }
    }

    @Test("a table has a column for everything, and what is not there is empty")
    func csv() async throws {
        try await with { listener, message, act in
            try await act("ana", .pushLinkClicked, 1, .person)
            try await act("bo", .messageOpened, 0, .crawler)
            let table = try await listener.get(Self.path, accept: "text/csv")
            #expect(table.headers[.contentType] == "text/csv; charset=utf-8; header=present")
            let rows = table.body.split(separator: "\r\n")
            #expect(rows.count == 3)
            let columns = [
                "id", "type", "occurredAt", "recordedAt", "recipient", "message", "link.index", "link.url",
                "link.label", "action", "source", "automated", "first",
            ]
            #expect(rows.first.map(String.init) == columns.map { "\"\($0)\"" }.joined(separator: ","))
            #expect(
                rows.dropFirst().first?.hasSuffix(
                    #""ana","\#(message)","1","https://shop.example/a",,,"redirect","false","true""#) == true)
            #expect(rows.last?.contains(#""bo","\#(message)",,,,,"redirect","true","#) == true)
        }
    }

    @Test("a report counts what people did once and in all, and what programs did apart")
    func report() async throws {
        try await with { listener, message, act in
            for recipient in ["ana", "ana", "bo"] { try await act(recipient, .pushLinkClicked, 1, .person) }
            try await act("bo", .pushLinkClicked, 1, .scanner)
            try await act("bo", .messageOpened, 0, .crawler)
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
