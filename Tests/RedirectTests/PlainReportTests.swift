import Formats
import Foundation
import Identifiers
import Interactions
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import HTTPConnections
@testable import Redirect

/// A report is read from the bytes as the decoder reads it.
@Suite struct PlainReportTests {
    private static let path = "/bird/v1/orgs/acme/interactions"
    private static let id = String(repeating: "A", count: 54)
    private static let body = #"{"type":"Tap","trackingId":"\#(id)","action":{"identifier":"buy"}}"#
    private static let events = "/api/v1.0/orgs/acme/pushchannel/event/trackings/\(id)"

    private static func post(_ path: String, _ body: String, _ fields: String = "") -> String {
        "POST \(path) HTTP/1.1\r\nHost: x\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// What the decoder makes of bytes when they are one whole request.
    private func decoded(_ bytes: [UInt8]) throws -> (head: HTTPRequestHead, body: [UInt8])? {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        try channel.writeInbound(ByteBuffer(bytes: bytes))
        guard case .head(let head) = try channel.readInbound(as: HTTPServerRequestPart.self) else { return nil }
        var body: [UInt8] = []
        while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
            switch part {
            case .head: return nil
            case .body(let bytes): body += Array(buffer: bytes)
            case .end:
                guard try channel.readInbound(as: HTTPServerRequestPart.self) == nil else { return nil }
                return (head, body)
            }
        }
        return nil
    }

    private func whole(_ bytes: [UInt8]) -> PlainReport? {
        if case .whole(let report) = PlainReport.read(bytes.span, RecentAgents()) { report } else { nil }
    }

    /// Whether bytes are cut; and if so, whether behind their header.
    private func cut(_ bytes: [UInt8]) -> Bool? {
        if case .cut(let isHeaderWhole) = PlainReport.read(bytes.span, RecentAgents()) { isHeaderWhole } else { nil }
    }

    /// Holds a report to what the decoder says, and to what its endpoint reads of that.
    private func hold(_ plain: PlainReport, _ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let (head, body) = try #require(try decoded(bytes), "\(text)")
        #expect(plain.length == bytes.count, "\(text)")
        #expect(head.method == (plain.route.isGet ? .GET : .POST), "\(text)")
        #expect(head.isKeepAlive && head.version == .http1_1 && head.namesOneHost && head.hasPlainFraming, "\(text)")
        #expect(plain.hasGlobalPrivacyControl == RedirectRequest(head).signals.hasGlobalPrivacyControl, "\(text)")
        let uri = Array(head.uri.utf8)
        guard let target = DeviceTarget(uri.span) else {
            Issue.record("\(text)")
            return
        }
        #expect(plain.route.endpoint == target.endpoint, "\(text)")
        let reading = try? target.endpoint.read(
            trackingID: uri.span.extracting(target.trackingID), query: uri.span.extracting(target.query),
            body: body.span)
        let content = plain.content(in: bytes.span)
        let organization = String(decoding: uri[target.organization], as: UTF8.self)
        #expect(content?.organization?.description ?? organization == organization, "\(text)")
        if let content { #expect(content.reading == reading, "\(text)") }
    }

    private static let reports = [
        post(path, body),
        post(path, body, "sec-gpc: 1\r\nContent-Type: application/json\r\nConnection: keep-alive\r\n"),
        post(events, #"{"PushNotificationStatus":"Opened","DeviceToken":"x"}"#, "User-Agent: app/1 CFNetwork\r\n"),
        post("/api/v1.0/orgs/acme/pushdatareceiver/events", #"{"TrackingId":"\#(id)","PushNotificationStatus":0}"#),
        post("/r/?id=h1,2,3&mcId=4", ""), post("/r?id=h1,2,3", "a=b"),
        "GET /r/?id=h1%2C2,7&mcid=1 HTTP/1.1\r\nhost:x\r\nAccept:  */*  \r\n\r\n", post(path, "no json"),
        "GET /r?id=h1,2,7 HTTP/1.1\r\nHost: x\r\nSec-GPC: 1\r\n\r\n",
    ]

    @Test("a plain report is understood as the decoder understands it", arguments: reports)
    func agrees(_ text: String) throws {
        let bytes = Array(text.utf8)
        try hold(try #require(whole(bytes)), bytes)
        try hold(try #require(whole(bytes + Array("GET /r".utf8))), bytes)
    }

    @Test("what it says is read, and of which organization's message")
    func content() throws {
        let bytes = Array(Self.reports[1].utf8)
        let report = try #require(whole(bytes))
        guard let (reading, organization) = report.content(in: bytes.span) else {
            Issue.record("it has no content")
            return
        }
        #expect(organization?.description == "acme" && report.hasGlobalPrivacyControl)
        guard case .report(let read) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(read.kind == .pushNotificationClicked && read.source == .bird && read.action?.text == "buy")
    }

    @Test("an objection is read whether a report is posted or not", arguments: ["1", "0"])
    func objection(_ value: String) throws {
        for text in [
            "GET /r?id=h1,2,7 HTTP/1.1\r\nHost: x\r\nSec-GPC: \(value)\r\n\r\n",
            Self.post("/r?id=h1,2,7", "", "Sec-GPC: \(value)\r\n"),
        ] {
            let report = try #require(whole(Array(text.utf8)), "\(text)")
            #expect(report.hasGlobalPrivacyControl == (value == "1"), "\(text)")
        }
    }

    @Test(
        "what the route must refuse has no content",
        arguments: [
            post(path, "no json"), post(path, ""), post(path, "{}"), post("/bird/v1/orgs/a%20b/interactions", body),
            post("/bird/v1/orgs/../interactions", body), post("/bird/v1/orgs//interactions", body),
            post(events + "A", #"{"PushNotificationStatus":0}"#), post(events, #"{"PushNotificationStatus":2}"#),
            post("/r?id=1", ""),
        ])
    func noContent(_ text: String) throws {
        let bytes = Array(text.utf8)
        let report = try #require(whole(bytes))
        let isRead = report.content(in: bytes.span) != nil
        #expect(!isRead)
    }

    @Test(
        "whatever is not plain is the decoder's",
        arguments: [
            "", "P", "POST \(path)", "POST \(path) HTTP/1.1", "POST \(path) HTTP/1.0\r\n", "PUT \(path) HTTP/1.1\r\n",
            "post \(path) HTTP/1.1\r\n", "POST \(path)?a=b HTTP/1.1\r\n", "POST /other HTTP/1.1\r\n",
            "POST \(path)  HTTP/1.1\r\n", "POST \(path)# HTTP/1.1\r\n", "GET \(path) HTTP/1.1\r\n",
            "HEAD /r?id=1 HTTP/1.1\r\n", "POST \(path) HTTP/1.1\n", post(path, body, "Expect: 100-continue\r\n"),
            post(path, body, "Transfer-Encoding: chunked\r\n"), post(path, body, "Connection: close\r\n"),
            post(path, body, "Upgrade: h2c\r\n"), post(path, body, "TE: trailers\r\n"),
            post(path, body, "Trailer: x\r\n"), post(path, body, "Host: y\r\n"), post(path, body, "X: \t\r\n"),
            post(path, body, "Content-Length: 99\r\n"), post(path, body, "A b: c\r\n"),
            "POST \(path) HTTP/1.1\r\nContent-Length: 0\r\n\r\n", "POST \(path) HTTP/1.1\r\nHost: x\r\n\r\n",
            "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 00\r\n\r\n",
            "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\n1",
            "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: \r\n\r\n",
            "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 8193\r\n\r\n",
            "POST \(path) HTTP/1.1\r\nHost: x\r\nContent-Length: 8150\r\n\r\n",
            "GET /r?id=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
        ])
    func notPlain(_ text: String) {
        let bytes = Array(text.utf8)
        guard case .notPlain = PlainReport.read(bytes.span, RecentAgents()) else {
            Issue.record("\(text)")
            return
        }
    }

    @Test("behind its request line, a report that is cut anywhere is one of which more is to come", arguments: reports)
    func cuts(_ text: String) throws {
        let bytes = Array(text.utf8)
        let line = try #require(
            text.utf8.firstIndex(of: UInt8(ascii: "\n")).map { text.utf8.distance(from: text.utf8.startIndex, to: $0) })
        let header = try #require(
            text.range(of: "\r\n\r\n").map { text.utf8.distance(from: text.utf8.startIndex, to: $0.upperBound) })
        for length in 0..<bytes.count {
            let expected = length <= line ? nil : length >= header
            #expect(cut(Array(bytes[..<length])) == expected, "\(length)")
        }
    }

    @Test("a long report is the decoder's, whether or not all of it is there")
    func limits() {
        func padded(to count: Int) -> [UInt8] {
            let start = Self.post(Self.path, Self.body, "X: ")
            let padding = String(repeating: "x", count: count - start.utf8.count - 2) + "\r\n"
            return Array(start.replacing("X: ", with: "X: \(padding)").utf8)
        }
        #expect(whole(padded(to: 8192))?.length == 8192)
        #expect(whole(padded(to: 8193)) == nil && cut(padded(to: 8193)) == nil)
        #expect(cut(Array(padded(to: 8193).dropLast(5))) == nil, "its length is known before")
        #expect(cut(Array(padded(to: 9000).prefix(8191))) == false)
        #expect(cut(Array(padded(to: 9000).prefix(8192))) == nil)
    }

    /// Every place of a report is overwritten by every byte: what is still taken for plain, the decoder takes for the
    /// same report.
    @Test("no byte in any place makes a report mean something else than to the decoder", arguments: [1, 4, 6])
    func everyByte(_ number: Int) throws {
        let whole = Array(Self.reports[number].utf8)
        var taken = 0
        for place in whole.indices {
            for byte in UInt8.min...UInt8.max {
                var changed = whole
                changed[place] = byte
                guard let plain = self.whole(changed) else { continue }
                taken += 1
                // A length that is shorter now, and a rest.
                try hold(plain, Array(changed[..<plain.length]))
            }
        }
        #expect(taken > 1000)
    }
}
