import Formats
import Identifiers
import Interactions
import Testing
import TrackingIDs

@Suite struct BirdInteractionTests {
    private static let id: String = DeviceSamples.trackingID

    private func read(_ members: String) throws(DeviceReportError) -> DeviceReport {
        try BirdInteraction.read(body: Array("{\(members)}".utf8))
    }

    private func read(type: String, action: String?) throws(DeviceReportError) -> DeviceReport {
        let action = action.map { #","action":\#($0)"# } ?? ""
        return try read(#""type":\#(type),"trackingId":"\#(Self.id)"\#(action)"#)
    }

    @Test(
        "what an app reports is read",
        arguments: [
            ("Received", nil, InteractionKind.pushNotificationReceived, nil),
            ("Received", #"{"identifier":"buy"}"#, .pushNotificationReceived, nil),
            ("Tap", nil, .pushNotificationClicked, nil), ("Tap", "null", .pushNotificationClicked, nil),
            ("Tap", "{}", .pushNotificationClicked, nil),
            ("Tap", #"{"identifier":null}"#, .pushNotificationClicked, nil),
            ("Tap", #"{"identifier":"default"}"#, .pushNotificationClicked, "default"),
            ("Button", #"{"identifier":"buy"}"#, .pushNotificationClicked, "buy"),
            ("Button", #"{"type":"URL","url":"x","identifier":"\u00e9\"😀"}"#, .pushNotificationClicked, "é\"😀"),
        ] as [(String, String?, InteractionKind, String?)]
    )
    func report(_ type: String, _ action: String?, _ kind: InteractionKind, _ identifier: String?) throws {
        let report = try read(type: "\"\(type)\"", action: action)
        #expect(report.kind == kind)
        #expect(report.source == .bird)
        #expect(report.action?.text == identifier)
        #expect(report.claimedMessage == nil)
        #expect(report.trackingID.opened(by: try DeviceSamples.opener()).trackingID == (try DeviceSamples.opened()))
    }

    @Test(
        "a button that is not named is refused",
        arguments: [nil, "null", "{}", #"{"identifier":null}"#, #"{"id":"buy"}"#])
    func button(_ action: String?) {
        #expect(throws: DeviceReportError.actionMissing) { try read(type: #""Button""#, action: action) }
    }

    @Test("an identifier is 1 to 255 bytes without control characters", arguments: ["Tap", "Button", "Received"])
    func identifier(_ type: String) throws {
        for text in ["a", String(repeating: "a", count: 255), String(repeating: "😀", count: 63) + "abc"] {
            #expect(throws: Never.self) { try read(type: "\"\(type)\"", action: #"{"identifier":"\#(text)"}"#) }
        }
        let long = String(repeating: "a", count: 256)
        for action in [
            #""buy""#, "1", "true", "[]", #"["buy"]"#, #"{"identifier":""}"#, #"{"identifier":1}"#,
            #"{"identifier":{}}"#, #"{"identifier":"\#(long)"}"#, #"{"identifier":"a\u0000"}"#,
            #"{"identifier":"a\n"}"#, #"{"identifier":"\u0085"}"#,
        ] {
            #expect(throws: DeviceReportError.actionMalformed, "\(action)") {
                try read(type: "\"\(type)\"", action: action)
            }
        }
    }

    @Test(
        "another type is refused",
        arguments: [
            #""received""#, #""tap""#, #""BUTTON""#, #""""#, #""Tap ""#, #""Clicked""#, "0", "true", "[]", "{}",
        ])
    func types(_ type: String) {
        #expect(throws: DeviceReportError.typeUnknown) { try read(type: type, action: #"{"identifier":"a"}"#) }
    }

    @Test(
        "what is missing is named",
        arguments: [
            (#""trackingId":"\#(id)""#, DeviceReportError.typeMissing),
            (#""type":null,"trackingId":"\#(id)""#, .typeMissing), (#""type":"Tap""#, .trackingIDMissing),
            (#""type":"Tap","trackingId":null"#, .trackingIDMissing),
            (#""type":"Tap","trackingId":"""#, .trackingIDMissing),
            (#""type":"Tap","TrackingId":"\#(id)""#, .trackingIDMissing),
            (#""type":"Tap","trackingId":7"#, .trackingIDMalformed),
            (#""type":"Tap","trackingId":"00000000-0000-0000-0000-000000000000""#, .trackingIDMalformed),
            (#""type":"Tap","trackingId":"\#(id)A""#, .trackingIDMalformed),
            (#""type":"Tap","trackingId":"\#(id.dropLast())""#, .trackingIDMalformed),
            (#""type":"Tap","trackingId":"h\#(DeviceSamples.hexadecimal)""#, .trackingIDMalformed),
            (#""type":"Tap","type":"Tap","trackingId":"\#(id)""#, .duplicateMember), ("", .typeMissing),
        ]
    )
    func missing(_ members: String, _ expected: DeviceReportError) {
        #expect(throws: expected) { try read(members) }
    }

    @Test("a body that is no object is refused", arguments: ["", "[]", "null", "x", "{", #""Tap""#, "{}}"])
    func bodies(_ body: String) {
        let error = #expect(throws: DeviceReportError.self) { try BirdInteraction.read(body: Array(body.utf8)) }
        #expect(error == .bodyNotJSON || error == .bodyNotObject)
    }

    @Test("unknown members are ignored")
    func unknownMembers() throws {
        let plain = try read(type: #""Tap""#, action: nil)
        #expect(try read(#""type":"Tap","payload":"{}","device":{"token":"x"},"trackingId":"\#(Self.id)""#) == plain)
    }
}
