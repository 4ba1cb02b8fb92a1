import Formats
import Identifiers
import Interactions
import JSON
import TrackingIDs

/// What apps post: written by anybody, it is read or refused, and read as what it says.
///
/// The input is the body, or the query; for version 1 of Dynamics 365 its first line is the segment of the path and the
/// rest the body.
struct DeviceEventTarget: FuzzTarget {
    static let name = "device-event"

    private let opener: TrackingIDOpener

    init() throws { opener = try TrackingIDOpener(keyRing: Samples.keyRing()) }

    func hold(_ input: [UInt8]) throws -> Bool {
        let first = Array(input.prefix { $0 != UInt8(ascii: "\n") })
        let rest = Array(input[first.count...])
        let readings = [
            try holdDynamics365(try? Dynamics365Event.read(body: input.span), input),
            try holdDynamics365(try? Dynamics365Event.read(trackingID: first.span, body: rest.span), rest),
            try holdBird(input),
            try holdAdobeCampaign(input),
        ]
        return readings.contains(true)
    }

    private func holdDynamics365(_ reading: DeviceReading?, _ body: [UInt8]) throws -> Bool {
        guard let reading else { return false }
        let status = try JSONValue.parse(body).member("PushNotificationStatus")
        let isClick = [JSONValue.integer(0), .string("0"), .string("Clicked")].contains(status)
        try demand(
            isClick || [JSONValue.integer(1), .string("1"), .string("Opened")].contains(status),
            "an event has no status")
        guard case .report(let report) = reading else { return true }
        try demand(
            report.kind == (isClick ? .pushNotificationClicked : .pushNotificationOpened), "a status is mistaken")
        try demand(report.source == .dynamics365 && report.claimedMessage == nil, "a report is not of Dynamics 365")
        _ = report.trackingID.opened(by: opener)
        return true
    }

    private func holdBird(_ body: [UInt8]) throws -> Bool {
        guard let report = try? BirdInteraction.read(body: body.span) else { return false }
        let value = try JSONValue.parse(body)
        guard case .string(let type) = value.member("type") else {
            throw BrokenPromise(description: "a report has no type")
        }
        try demand(["Received", "Tap", "Button"].contains(type), "a type is not known")
        try demand((report.kind == .pushNotificationReceived) == (type == "Received"), "a type is mistaken")
        if type == "Button" { try demand(report.action != nil, "a button is not named") }
        if let action = report.action {
            guard case .string(let text) = value.member("action")?.member("identifier") else {
                throw BrokenPromise(description: "an action comes from nowhere")
            }
            try demand(Array(action.text.utf8) == Array(text.utf8), "an action is not what was said")
        }
        _ = report.trackingID.opened(by: opener)
        return true
    }

    private func holdAdobeCampaign(_ query: [UInt8]) throws -> Bool {
        let report = try? AdobeCampaignHit.read(query: query.span)
        let hit = PlainHit(query)
        try demand((report != nil) == (hit != nil), "a hit is read that is none, or the other way round")
        guard let report, let hit else { return false }
        try demand(report.claimedMessage?.rawValue == hit.message && report.kind == hit.kind, "a hit is misread")
        _ = report.trackingID.opened(by: opener)
        return true
    }
}

extension JSONValue {
    fileprivate func member(_ name: String) -> JSONValue? {
        if case .object(let object) = self { object[name] } else { nil }
    }
}

/// A hit read in the plainest way, by cutting.
private struct PlainHit {
    let message: UInt64
    let kind: InteractionKind

    init?(_ query: [UInt8]) {
        // Bytes that are no ASCII stand in no hit, and every one of them stays one character.
        let text = String(decoding: query.map { UInt16($0) }, as: UTF16.self)
        let values = text.utf16.split(separator: 0x26).map { Array($0) }.filter {
            $0.starts(with: "id".utf16) && ($0.count == 2 || $0[2] == 0x3D)
        }
        guard values.count == 1 else { return nil }
        let value = String(decoding: values[0].dropFirst(3), as: UTF16.self)
        let parts = value.split(separator: /,|%2[cC]/, omittingEmptySubsequences: false).map { Array($0.utf16) }
        let kinds: [[UInt16]: InteractionKind] = [
            [0x31]: .pushNotificationOpened, [0x32]: .pushNotificationClicked, [0x37]: .pushNotificationReceived,
        ]
        guard parts.count == 3, let kind = kinds[parts[2]] else { return nil }
        guard parts[0].count == 81, parts[0][0] == 0x68, parts[0].dropFirst().allSatisfy(Self.isDigit) else {
            return nil
        }
        guard (1...16).contains(parts[1].count), parts[1][0] != 0x30, parts[1].allSatisfy(Self.isDigit),
            let message = UInt64(String(decoding: parts[1], as: UTF16.self), radix: 16), message <= UInt64(Int64.max)
        else { return nil }
        self.message = message
        self.kind = kind
    }

    private static func isDigit(_ unit: UInt16) -> Bool { (0x30...0x39).contains(unit) || (0x61...0x66).contains(unit) }
}
