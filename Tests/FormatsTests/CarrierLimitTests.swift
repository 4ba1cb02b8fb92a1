import Formats
import JSON
import Messages
import Testing

@Suite struct CarrierLimitTests {
    private static let platforms: [PayloadFormat] = [.dynamics365(.ios), .dynamics365(.android)]
    private let pointer = JSONPointer.root.appending("message")

    /// A message with `link` whose larger payload in `format` has exactly `length` bytes.
    private func message(_ format: PayloadFormat, link: String?, length: Int) throws -> Message {
        var message = Message(name: "n")
        message.link = try link.map { Message.Link(target: try TargetURL(stored: $0), isDeepLink: false) }
        message.body = ""
        let compiled = try Samples.compiled(message, format)
        let tracked = try Samples.payload(Samples.tracked(), compiled).count
        let untracked = try Samples.payload(Samples.untracked(), compiled).count
        message.body = String(repeating: "a", count: length - max(tracked, untracked))
        return message
    }

    /// The long target makes the untracked payload the longer one.
    static let links = [nil, "https://s.example/", "https://shop.example/" + String(repeating: "a", count: 500)]

    @Test("4,096 bytes are taken, one more is not", arguments: platforms, links)
    func edge(_ format: PayloadFormat, _ link: String?) throws {
        let fitting = try message(format, link: link, length: 4096)
        let compiled = try Samples.compiled(fitting, format)
        let lengths = [
            try Samples.payload(Samples.tracked(), compiled).count,
            try Samples.payload(Samples.untracked(), compiled).count,
        ]
        #expect(lengths.max() == 4096)
        let tooLong = try message(format, link: link, length: 4097)
        let error = #expect(throws: BodyProblems.self) { try Samples.compiled(tooLong, format, at: pointer) }
        #expect(error?.problems.map(\.pointer.description) == ["/message"])
        #expect(error?.problems.first?.detail.contains("4097") == true)
        #expect(error?.problems.first?.detail.contains("4096") == true)
    }

    @Test("bytes count, not characters: an escaped quote is two, an emoji four", arguments: platforms)
    func bytes(_ format: PayloadFormat) throws {
        for (text, length) in [("\"", 2), ("\n", 2), ("\u{1}", 6), ("😀", 4), ("\u{2028}", 3)] {
            var fitting = try message(format, link: nil, length: 4096)
            fitting.body = String((fitting.body ?? "").dropLast(length)) + text
            #expect(throws: Never.self) { try Samples.compiled(fitting, format) }
            fitting.body?.append("a")
            #expect(throws: BodyProblems.self) { try Samples.compiled(fitting, format) }
        }
    }

    @Test("where no carrier is meant there is no limit")
    func plain() throws {
        var message = Message(name: "n")
        message.body = String(repeating: "a", count: 65_536)
        message.link = Message.Link(
            target: try TargetURL(stored: "https://shop.example/" + String(repeating: "a", count: 2000)),
            isDeepLink: false)
        #expect(throws: Never.self) { try Samples.compiled(message, .plain) }
    }
}

@Suite struct ReservedKeyTests {
    private func problems(_ keys: [String], _ format: PayloadFormat) throws -> [String] {
        var message = Message(name: "n")
        message.custom = keys.map { Message.CustomField(key: $0, value: "v") }
        do {
            _ = try Samples.compiled(message, format, at: JSONPointer.root.appending("message"))
            return []
        } catch let error as BodyProblems {
            return error.problems.map(\.pointer.description)
        }
    }

    @Test("a key that iOS payloads use themselves is refused", arguments: ["aps", "data"])
    func ios(_ key: String) throws {
        #expect(try problems([key], .dynamics365(.ios)) == ["/message/custom/\(key)"])
    }

    @Test(
        "a key that Android payloads use themselves, or that FCM keeps for itself in any case, is refused",
        arguments: [
            "title", "body", "imageUrl", "link", "originalLink", "trackingId", "from", "FROM", "From", "message_type",
            "Message_Type", "MESSAGE_TYPE", "google", "Google", "GOOGLE.c.a.e", "google.message_id", "googley", "gcm",
            "GCM", "gcm.notification.title", "gcmx",
            // It begins with these bytes, although for Swift's String it begins with other characters.
            "google\u{301}", "gcm\u{301}.n", "GOOGLE\u{200D}",
        ]
    )
    func android(_ key: String) throws {
        #expect(try problems([key], .dynamics365(.android)) == ["/message/custom/\(key)"])
    }

    @Test(
        "near misses are taken",
        arguments: [
            "ap", "apsx", "data2", "fro", "from2", "xfrom", "message-type", "messagetype", "goog", "xgoogle", "gc",
            "xgcm",
            "link2", "tracking_id", "",
        ], Samples.formats)
    func nearMisses(_ key: String, _ format: PayloadFormat) throws {
        #expect(try problems([key], format) == [])
    }

    @Test("what one platform uses the other may carry")
    func otherPlatform() throws {
        #expect(try problems(["aps", "data"], .dynamics365(.android)) == [])
        #expect(try problems(["title", "from", "google.x"], .dynamics365(.ios)) == [])
        #expect(try problems(["aps", "title", "from"], .plain) == [])
    }

    @Test("every reserved key is pointed at, escaped as pointers are")
    func all() throws {
        #expect(
            try problems(["a", "from", "google/x~y"], .dynamics365(.android))
                == ["/message/custom/from", "/message/custom/google~1x~0y"])
    }
}
