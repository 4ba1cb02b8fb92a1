import Formats
import JSON
import Messages
import Testing

@Suite struct DeviceLimitTests {
    private func length(_ message: Message, _ format: PayloadFormat) throws -> Int {
        let compiled = try Samples.compiled(message, format)
        return try max(
            Samples.payload(Samples.tracked(), compiled).count, Samples.payload(Samples.untracked(), compiled).count)
    }

    private func message(_ link: String?) throws -> Message {
        var message = Message(name: "n")
        message.link = try link.map { Message.Link(target: try TargetURL(stored: $0), isDeepLink: false) }
        message.actions = [Message.Action(id: "a", title: "A", link: message.link)]
        message.body = ""
        return message
    }

    /// The long target makes the untracked payload of Bird the longer one.
    static let links = [nil, "https://s.example/", "https://shop.example/" + String(repeating: "a", count: 500)]

    @Test("4,096 bytes are taken, one more is not", arguments: DeviceSamples.newFormats, links)
    func edge(_ format: PayloadFormat, _ link: String?) throws {
        var message = try message(link)
        message.body = String(repeating: "a", count: 4096 - (try length(message, format)))
        #expect(try length(message, format) == 4096)
        message.body?.append("a")
        let error = #expect(throws: BodyProblems.self) {
            try Samples.compiled(message, format, at: .root.appending("m"))
        }
        #expect(error?.problems.map(\.pointer.description) == ["/m"])
        #expect(error?.problems.first?.detail.contains("4097") == true)
    }

    @Test(
        "bytes count as they are on the wire: in a string in a string a quote is four",
        arguments: [("\"", 4), ("\\", 4), ("\n", 3), ("\u{1}", 7), ("😀", 4), ("a", 1)]
    )
    func escaped(_ text: String, _ count: Int) throws {
        var message = try message(nil)
        func titled(_ title: String) -> [Message.Action] { [Message.Action(id: "a", title: title, link: nil)] }
        message.actions = titled("")
        let filling = String(repeating: "a", count: 4096 - count - (try length(message, .bird(.android))))
        message.actions = titled(filling + text)
        #expect(try length(message, .bird(.android)) == 4096)
        message.actions = titled(filling + text + "a")
        #expect(throws: BodyProblems.self) { try Samples.compiled(message, .bird(.android)) }
    }
}

@Suite struct DeviceReservedKeyTests {
    private func problems(_ key: String, _ format: PayloadFormat) throws -> [String] {
        var message = Message(name: "n")
        message.custom = [Message.CustomField(key: key, value: "v")]
        do {
            _ = try Samples.compiled(message, format, at: .root.appending("message"))
            return []
        } catch let error as BodyProblems {
            return error.problems.map(\.pointer.description)
        }
    }

    static let adobe = [
        "media-attachment-url", "uri", "originalLink", "_dId", "_mId", "_acsDeliveryTracking",
    ]
    static let fcm = [
        "from", "FROM", "From", "message_type", "Message_Type", "google", "Google.c.a.e", "gcm", "GCM.x",
        "google\u{301}", "gcm\u{301}",
    ]

    @Test("what Adobe's payload on iOS uses itself is refused", arguments: adobe + ["aps"])
    func adobeIOS(_ key: String) throws {
        #expect(try problems(key, .adobeCampaign(.ios)) == ["/message/custom/\(key)"])
    }

    @Test(
        "what Adobe's payload on Android uses itself, or FCM, is refused",
        arguments: adobe + fcm + [
            "title", "body", "badge", "sound", "category", "content-available", "mutable-content",
        ]
    )
    func adobeAndroid(_ key: String) throws {
        #expect(try problems(key, .adobeCampaign(.android)) == ["/message/custom/\(key)"])
    }

    @Test("a button with the name of the tap is refused by Bird's payloads", arguments: PayloadFormat.Platform.allCases)
    func birdTap(_ platform: PayloadFormat.Platform) throws {
        var message = Message(name: "n")
        message.actions = ["buy", "default", "Default"].map { Message.Action(id: $0, title: "Buy", link: nil) }
        let error = #expect(throws: BodyProblems.self) {
            try Samples.compiled(message, .bird(platform), at: .root.appending("message"))
        }
        #expect(error?.problems.map(\.pointer.description) == ["/message/actions/1/id"])
        _ = try Samples.compiled(message, .plain)
    }

    @Test("what Bird's payload on iOS uses itself is refused", arguments: ["aps", "bird"])
    func birdIOS(_ key: String) throws {
        #expect(try problems(key, .bird(.ios)) == ["/message/custom/\(key)"])
    }

    @Test("what Bird's payload on Android uses itself, or FCM, is refused", arguments: fcm + ["title", "body", "bird"])
    func birdAndroid(_ key: String) throws {
        #expect(try problems(key, .bird(.android)) == ["/message/custom/\(key)"])
    }

    @Test(
        "near misses are taken",
        arguments: ["ap", "apsx", "BIRD", "Uri", "_did", "_dId2", "fro", "xfrom", "goog", "xgcm", "link", "e", ""],
        DeviceSamples.newFormats
    )
    func nearMisses(_ key: String, _ format: PayloadFormat) throws {
        #expect(try problems(key, format) == [])
    }

    @Test("what one platform uses the other may carry")
    func otherPlatform() throws {
        #expect(try problems("aps", .adobeCampaign(.android)) == [])
        #expect(try problems("title", .adobeCampaign(.ios)) == [])
        #expect(try problems("from", .adobeCampaign(.ios)) == [])
        #expect(try problems("aps", .bird(.android)) == [])
        #expect(try problems("google.x", .bird(.ios)) == [])
    }
}

@Suite struct DeviceFormatTests {
    @Test("every system for devices needs its platform")
    func platform() throws {
        for platform in PayloadFormat.Platform.allCases {
            #expect(try PayloadFormat(.adobeCampaign, platform: platform) == .adobeCampaign(platform))
            #expect(try PayloadFormat(.bird, platform: platform) == .bird(platform))
        }
        for name in [PayloadFormat.Name.dynamics365, .adobeCampaign, .bird] {
            #expect(throws: PayloadFormatError.platformMissing) { try PayloadFormat(name, platform: nil) }
        }
    }
}
