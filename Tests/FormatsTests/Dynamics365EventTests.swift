import Formats
import Identifiers
import Interactions
import Testing
import TrackingIDs

@Suite struct Dynamics365EventTests {
    private static let id: String = DeviceSamples.trackingID
    private static let zero: String = "00000000-0000-0000-0000-000000000000"

    enum Version: CaseIterable {
        case one
        case two
    }

    /// An event with `members` beside the tracking ID, which is where its version has it.
    private func read(
        _ version: Version, _ members: String, id: String = id
    ) throws(DeviceReportError) -> DeviceReading {
        switch version {
        case .one: try Dynamics365Event.read(trackingID: id, body: Array("{\(members)}".utf8))
        case .two: try Dynamics365Event.read(body: Array("{\"TrackingId\":\"\(id)\",\(members)}".utf8))
        }
    }

    @Test(
        "every form of the status that the samples send",
        arguments: [
            ("0", InteractionKind.pushNotificationClicked), (#""0""#, .pushNotificationClicked),
            (#""Clicked""#, .pushNotificationClicked), (#""\u0043licked""#, .pushNotificationClicked),
            ("1", .pushNotificationOpened), (#""1""#, .pushNotificationOpened), (#""Opened""#, .pushNotificationOpened),
        ], Version.allCases
    )
    func status(_ status: (String, InteractionKind), _ version: Version) throws {
        let reading = try read(version, #""DeviceToken":"secret","PushNotificationStatus":\#(status.0)"#)
        guard case .report(let report) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(report.kind == status.1)
        #expect(report.source == .dynamics365)
        #expect(report.claimedMessage == nil)
        #expect(report.action == nil)
        #expect(report.trackingID.opened(by: try DeviceSamples.opener()).trackingID == (try DeviceSamples.opened()))
    }

    @Test(
        "any other status is refused, and with the zero GUID too",
        arguments: [
            "2", "-1", "-0", "0.0", "1.0", "0e0", "1e0", "10", "00000000000000000001x", #""2""#, #""""#, #""clicked""#,
            #""CLICKED""#, #""opened""#, #"" 0""#, #""0 ""#, #""00""#, #""Received""#, #""PushNotificationClicked""#,
            "true", "false", "[]", "[0]", "{}", #"{"0":0}"#, #""٠""#, #""Opened\u0000""#,
        ], Version.allCases
    )
    func unknownStatus(_ status: String, _ version: Version) {
        for id in [Self.id, Self.zero] {
            let error = #expect(throws: DeviceReportError.self) {
                try read(version, #""PushNotificationStatus":\#(status)"#, id: id)
            }
            #expect(error == .statusUnknown || error == .bodyNotJSON)
        }
    }

    @Test(
        "a status that is missing is not guessed", arguments: [#""a":1"#, #""PushNotificationStatus":null"#],
        Version.allCases)
    func missingStatus(_ members: String, _ version: Version) {
        for id in [Self.id, Self.zero] {
            #expect(throws: DeviceReportError.statusMissing) { try read(version, members, id: id) }
        }
    }

    @Test("names of members are compared exactly", arguments: Version.allCases)
    func names(_ version: Version) {
        #expect(throws: DeviceReportError.statusMissing) { try read(version, #""pushNotificationStatus":0"#) }
        #expect(throws: DeviceReportError.trackingIDMissing) {
            try Dynamics365Event.read(body: Array(#"{"trackingId":"\#(Self.id)","PushNotificationStatus":0}"#.utf8))
        }
    }

    @Test(
        "the zero GUID is nobody: a success, and nothing to record", arguments: ["0", "1", #""Opened""#],
        Version.allCases)
    func nobody(_ status: String, _ version: Version) throws {
        #expect(try read(version, #""PushNotificationStatus":\#(status)"#, id: Self.zero) == .nothing)
    }

    @Test(
        "only the zero GUID as payloads have it is nobody",
        arguments: [
            "{\(zero)}", "(\(zero))", "00000000000000000000000000000000", " \(zero)", "\(zero) ", "0",
            "00000000-0000-0000-0000-000000000001", "%30\(zero.dropFirst())", zero + zero,
        ], Version.allCases
    )
    func nearlyZero(_ id: String, _ version: Version) {
        #expect(throws: DeviceReportError.trackingIDMalformed) {
            try read(version, #""PushNotificationStatus":0"#, id: id)
        }
    }

    @Test("an empty tracking ID is refused", arguments: Version.allCases)
    func empty(_ version: Version) {
        #expect(throws: DeviceReportError.trackingIDMissing) {
            try read(version, #""PushNotificationStatus":0"#, id: "")
        }
    }

    @Test("cut or extended, a tracking ID is none", arguments: Version.allCases)
    func length(_ version: Version) {
        for id in [
            String(Self.id.dropLast()), Self.id + "A", Self.id + "=", String(Self.id.dropFirst()), "A",
            Self.id + Self.id,
        ] {
            #expect(throws: DeviceReportError.trackingIDMalformed) {
                try read(version, #""PushNotificationStatus":0"#, id: id)
            }
        }
    }

    @Test("a tracking ID that is not genuine is read, and does not open", arguments: Version.allCases)
    func forged(_ version: Version) throws {
        let opener = try DeviceSamples.opener()
        for place in Self.id.indices {
            var id = Self.id
            id.replaceSubrange(place...place, with: id[place] == "A" ? "B" : "A")
            let reading = try read(version, #""PushNotificationStatus":0"#, id: id)
            guard case .report(let report) = reading else {
                Issue.record("\(reading)")
                continue
            }
            #expect(report.trackingID.opened(by: opener).trackingID == nil)
        }
    }

    @Test(
        "a body that is no event is refused",
        arguments: [
            ("", DeviceReportError.bodyNotJSON), (" ", .bodyNotJSON), ("{", .bodyNotJSON), ("{}x", .bodyNotJSON),
            ("not json", .bodyNotJSON), ("PushNotificationStatus=0", .bodyNotJSON), ("[]", .bodyNotObject),
            ("null", .bodyNotObject), ("0", .bodyNotObject), (#""x""#, .bodyNotObject),
            (#"{"PushNotificationStatus":0,}"#, .bodyNotJSON),
            (#"{"PushNotificationStatus":0,"PushNotificationStatus":0}"#, .duplicateMember),
            (#"{"a":1,"a":2,"PushNotificationStatus":0}"#, .duplicateMember),
            ("\u{FEFF}{\"PushNotificationStatus\":0}", .bodyNotJSON),
            (String(repeating: "[", count: 10_000), .bodyNotJSON),
            ("{\"PushNotificationStatus\":0,\"a\":" + String(repeating: "[", count: 8_000), .bodyNotJSON),
        ]
    )
    func notAnEvent(_ body: String, _ expected: DeviceReportError) {
        for id in [Self.id, Self.zero] {
            #expect(throws: expected) { try Dynamics365Event.read(trackingID: id, body: Array(body.utf8)) }
        }
        #expect(throws: expected) { try Dynamics365Event.read(body: Array(body.utf8)) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func notUTF8() {
        let body = Array(#"{"PushNotificationStatus":0,"a":""#.utf8) + [0xFF] + Array("\"}".utf8)
        #expect(throws: DeviceReportError.bodyNotJSON) { try Dynamics365Event.read(trackingID: Self.id, body: body) }
    }

    @Test(
        "a tracking ID that is no string is refused",
        arguments: [
            ("null", DeviceReportError.trackingIDMissing), (#""""#, .trackingIDMissing), ("0", .trackingIDMalformed),
            ("true", .trackingIDMalformed), ("[]", .trackingIDMalformed), ("{}", .trackingIDMalformed),
        ]
    )
    func notText(_ id: String, _ expected: DeviceReportError) {
        #expect(throws: expected) {
            try Dynamics365Event.read(body: Array(#"{"TrackingId":\#(id),"PushNotificationStatus":0}"#.utf8))
        }
    }

    @Test("unknown members are ignored", arguments: Version.allCases)
    func unknownMembers(_ version: Version) throws {
        let plain = try read(version, #""PushNotificationStatus":1"#)
        for more in [
            #""DeviceToken":null"#, #""DeviceToken":{"a":[1]}"#, #""UserId":"u","ApiToken":"t""#, #""":0"#,
            #""trackingId":"other""#,
        ] {
            #expect(try read(version, #"\#(more),"PushNotificationStatus":1"#) == plain)
        }
        #expect(try read(.one, #""TrackingId":"other","PushNotificationStatus":1"#) == plain, "the path's is the one")
    }

    @Test("a part of a path is taken as it stands")
    func slice() throws {
        let path = "/trackings/\(Self.id)/"
        let id = String(path.dropFirst("/trackings/".count).dropLast())
        let body = Array(#"{"PushNotificationStatus":0}"#.utf8)
        #expect(try Dynamics365Event.read(trackingID: id, body: body) == read(.one, #""PushNotificationStatus":0"#))
    }
}
