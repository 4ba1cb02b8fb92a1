import Identifiers
package import JSON

extension Message {
    /// The message as canonical JSON (RFC 8785): two messages are equal exactly if their bytes are. This form is stored
    /// and identifies a message, so the form of a given message must never change.
    package var canonicalJSON: [UInt8] {
        get throws(JSONError) { try canonicalJSON(.stored) }
    }

    /// The members that canonical JSON has.
    package enum Writing {
        /// Those that a backend gave. If they are given again, they make the same message, provided that the same links
        /// are found.
        case asGiven
        /// Also those that were found in the mail.
        case stored
    }

    package func canonicalJSON(_ writing: Writing) throws(JSONError) -> [UInt8] {
        try json(writing).canonical()
    }

    private func json(_ writing: Writing) -> JSONValue {
        var object = JSONObject()
        object.set("name", name)
        if !tags.isEmpty { object.set("tags", .array(tags.map { .string($0.text) })) }
        object.set("title", title)
        object.set("body", body)
        object.set("imageUrl", imageURL?.text)
        object.set(link)
        object.set("linkLabel", linkLabel)
        if !actions.isEmpty {
            object.set("actions", .array(actions.map(\.json)))
        }
        object.set("badge", badge.map { .integer($0) })
        object.set("sound", sound)
        object.set("category", category)
        if contentAvailable { object.set("contentAvailable", .bool(true)) }
        if !custom.isEmpty {
            var fields = JSONObject()
            for field in custom { fields.set(field.key, field.value) }
            object.set("custom", .object(fields))
        }
        object.set("html", html)
        object.set("text", text)
        if writing == .stored, !mailLinks.isEmpty { object.set("mailLinks", .array(mailLinks.map(\.json))) }
        if openTracking { object.set("openTracking", .bool(true)) }
        if !tracking { object.set("tracking", .bool(false)) }
        object.set(purposes)
        object.set("expiresAt", expiresAt?.rfc3339)
        return .object(object)
    }

    /// Reads back what ``canonicalJSON`` wrote.
    package init(canonicalJSON bytes: [UInt8]) throws {
        let value = try JSONValue.parse(bytes)
        self = try Self.storedShape.read(value)
    }
}

/// Compared by bytes, as a stored message is identified: Swift compares texts by canonical equivalence, which treats
/// two different spellings as equal. Unlike canonical JSON, these bytes exist for every message.
extension Message: Hashable {
    package static func == (one: Message, other: Message) -> Bool { one.comparedBytes == other.comparedBytes }

    package func hash(into hasher: inout Hasher) { hasher.combine(comparedBytes) }

    private var comparedBytes: [UInt8] { json(.stored).serialized() }
}

extension Message.Action {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object.set("id", id)
        object.set("title", title)
        object.set(link)
        object.set("label", label)
        return .object(object)
    }
}

extension MailLink {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object.set("place", part.rawValue)
        object.set("url", target.text)
        object.set("label", label)
        return .object(object)
    }
}

extension JSONObject {
    /// Leaves out a member that is `nil`.
    fileprivate mutating func set(_ name: String, _ value: JSONValue?) {
        if let value { _ = append(name, value) }
    }

    fileprivate mutating func set(_ name: String, _ text: String?) {
        set(name, text.map { .string($0) })
    }

    /// Writes one purpose of both activities in the form from before there could be two.
    fileprivate mutating func set(_ purposes: MessagePurposes) {
        guard let purpose = purposes.shared else {
            var object = JSONObject()
            object.set("clicks", purposes.clicks.description)
            object.set("opens", purposes.opens.description)
            return set("purposes", .object(object))
        }
        if purpose != .tracking { set("purpose", purpose.description) }
    }

    fileprivate mutating func set(_ link: Message.Link?) {
        set("link", link?.target.text)
        if link?.isDeepLink == true { set("deepLink", .bool(true)) }
    }
}
