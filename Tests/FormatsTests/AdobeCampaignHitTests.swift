import Formats
import Identifiers
import Interactions
import JSON
import Testing
import TrackingIDs

@Suite struct AdobeCampaignHitTests {
    private static let hex: String = DeviceSamples.hexadecimal
    private static let broadlog: String = "h" + hex
    private static let delivery: String = DeviceSamples.messageID
    private static let query: String = "id=\(broadlog),\(delivery),1"

    private func read(_ query: [UInt8]) throws(DeviceReportError) -> DeviceReport {
        try AdobeCampaignHit.read(query: query.span)
    }

    @Test(
        "what the SDKs send is read",
        arguments: [
            "\(query)&mcId=1234567890", "\(query)&mcid=1234567890", query, "\(query)&", "&\(query)", "&&\(query)&&",
            "mcId=1&\(query)", "mcId=h,1,1&\(query)", "a&\(query)&b=&=c&==&%", "ID=x&Id=y&\(query)", "idx=1&\(query)",
            "xid=1&i=2&\(query)", "id%3D=1&\(query)", "mcId=1&mcId=2&\(query)",
            "id=\(broadlog)%2C\(delivery)%2C1", "id=\(broadlog)%2c\(delivery)%2c1", "id=\(broadlog)%2C\(delivery),1",
            "id=\(broadlog),\(delivery)%2c1&mcId=",
        ]
    )
    func reads(_ query: String) throws {
        let report = try AdobeCampaignHit.read(query: query)
        #expect(report.kind == .pushNotificationOpened)
        #expect(report.source == .adobeCampaign)
        #expect(report.claimedMessage == (try MessageID(Self.delivery)))
        #expect(report.action == nil)
        #expect(report.trackingID.opened(by: try DeviceSamples.opener()).trackingID == (try DeviceSamples.opened()))
    }

    @Test(
        "an action is opened, clicked or seen",
        arguments: [
            ("1", InteractionKind.pushNotificationOpened), ("2", .pushNotificationClicked),
            ("7", .pushNotificationReceived),
        ]
    )
    func actions(_ action: String, _ kind: InteractionKind) throws {
        #expect(try AdobeCampaignHit.read(query: "id=\(Self.broadlog),\(Self.delivery),\(action)").kind == kind)
    }

    @Test(
        "any other action is refused",
        arguments: [
            "", "0", "3", "4", "5", "6", "8", "9", "01", "1 ", " 1", "-1", "+1", "11", "17", "1,", "1,1", "1.0", "%31",
            "one", "1%2C", "1%20", "١", "1\0", "7\n",
        ]
    )
    func otherActions(_ action: String) {
        #expect(throws: DeviceReportError.hitActionUnknown) {
            try AdobeCampaignHit.read(query: "id=\(Self.broadlog),\(Self.delivery),\(action)")
        }
    }

    @Test(
        "without id there is no hit",
        arguments: ["", "&", "mcId=1", "ID=\(query)", "i%64=1", "x=\(query)", "?\(query)"])
    func missing(_ query: String) {
        #expect(throws: DeviceReportError.hitMissing) { try AdobeCampaignHit.read(query: query) }
    }

    @Test(
        "two of id are one too many", arguments: ["\(query)&\(query)", "id&\(query)", "\(query)&id=", "\(query)&x&id"])
    func repeated(_ query: String) {
        #expect(throws: DeviceReportError.hitRepeated) { try AdobeCampaignHit.read(query: query) }
    }

    @Test(
        "a _mId of another spelling is refused",
        arguments: [
            "", "h", hex, "H\(hex)", "h\(hex.uppercased())", "h\(hex.dropLast())", "h\(hex.dropLast(2))", "h\(hex)0",
            "h\(hex)00", "hh\(hex)", "h\(hex.dropLast())g", "h\(hex.dropLast())A", "h \(hex.dropFirst())",
            "h%30\(hex.dropFirst())", "h\(hex.dropLast())é", DeviceSamples.trackingID, "h\(DeviceSamples.trackingID)",
            "h153d80", "h-\(hex.dropFirst())", "h0x\(hex.dropFirst(2))",
        ]
    )
    func otherBroadlogs(_ broadlog: String) {
        #expect(throws: DeviceReportError.broadlogMalformed) {
            try AdobeCampaignHit.read(query: "id=\(broadlog),\(Self.delivery),1")
        }
    }

    @Test("the SDKs' own test vector has the form of a hit, and no _mId of ours")
    func sdkVector() {
        #expect(throws: DeviceReportError.broadlogMalformed) {
            try AdobeCampaignHit.read(query: "id=h153d80,b670ea,7&mcId=83056071767212492011535942034357093219")
        }
    }

    @Test("a _dId is any message's id, and is told")
    func deliveries() throws {
        for text in ["1", "f", "b670ea", "7fffffffffffffff", "abcdef0123456789".replacing("a", with: "1")] {
            let report = try AdobeCampaignHit.read(query: "id=\(Self.broadlog),\(text),2")
            #expect(report.claimedMessage?.description == text)
        }
    }

    @Test(
        "a _dId of another spelling is refused",
        arguments: [
            "", "0", "00", "01", "0\(delivery)", "00\(delivery.dropFirst(2))", delivery.uppercased(), "\(delivery)0",
            "8000000000000000", "ffffffffffffffff", "10000000000000000", "g", "1g", " 1", "1 ", "-1", "+1", "0x1",
            "1.0", "%31", "h1",
        ]
    )
    func otherDeliveries(_ delivery: String) {
        #expect(throws: DeviceReportError.deliveryMalformed) {
            try AdobeCampaignHit.read(query: "id=\(Self.broadlog),\(delivery),1")
        }
    }

    @Test("a hit cut anywhere, and one with a byte too many anywhere, is refused or is the hit that it says")
    func everywhere() throws {
        let bytes = Array(Self.query.utf8)
        for end in 0..<bytes.count {
            #expect(throws: DeviceReportError.self) { try read(Array(bytes[..<end])) }
        }
        for place in 0...bytes.count {
            for byte in UInt8.min...UInt8.max {
                var query = bytes
                query.insert(byte, at: place)
                guard let report = try? read(query) else { continue }
                let ignored = byte == UInt8(ascii: "&") && (place == 0 || place == bytes.count)
                #expect(ignored, "a byte \(byte) at \(place)")
                #expect(report.kind == .pushNotificationOpened)
            }
        }
    }

    @Test(
        "commas in the wrong place are refused",
        arguments: [
            ",\(broadlog),\(delivery),1", "\(broadlog),,\(delivery),1", "\(broadlog),\(delivery),,1",
            "\(broadlog),\(delivery),1,", "\(broadlog)\(delivery),1", "\(broadlog),\(delivery)1", "\(broadlog)",
            "\(broadlog),", "\(broadlog),\(delivery)", "\(broadlog),\(delivery),", ",,", ",", "",
            "\(broadlog)%2\(delivery)%2C1", "\(broadlog)%\(delivery)%2C1", "\(broadlog)%252C\(delivery)%252C1",
            "\(broadlog)%2D\(delivery)%2C1", "\(broadlog);\(delivery);1", "\(broadlog),\(delivery)%2C",
            "\(broadlog),\(delivery)%2",
        ]
    )
    func commas(_ id: String) {
        #expect(throws: DeviceReportError.self) { try AdobeCampaignHit.read(query: "id=\(id)") }
    }

    @Test(
        "a hit made of a tracked payload is read back, on either platform", arguments: PayloadFormat.Platform.allCases)
    func roundTrip(_ platform: PayloadFormat.Platform) throws {
        let compiled = try Samples.compiled(Samples.message(#"{"name":"n"}"#), .adobeCampaign(platform))
        let payload = try JSONValue.parse(Samples.payload(Samples.tracked(77), compiled))
        let fields = payload["data"] ?? payload
        guard case .string(let broadlog) = fields["_mId"], case .string(let delivery) = fields["_dId"] else {
            Issue.record("\(payload)")
            return
        }
        let report = try AdobeCampaignHit.read(query: "id=\(broadlog),\(delivery),2&mcId=1")
        let opened = try #require(report.trackingID.opened(by: DeviceSamples.opener()).trackingID)
        #expect(opened.recipient.rawValue == 77)
        #expect(opened.link == .message)
        #expect(opened.message == report.claimedMessage)
    }
}

extension AdobeCampaignHit {
    static func read(query: String) throws(DeviceReportError) -> DeviceReport {
        try read(query: Array(query.utf8).span)
    }
}
