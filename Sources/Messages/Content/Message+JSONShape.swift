import Identifiers
package import JSON

extension Message {
    /// A message as a backend writes it; its targets must follow `rules`.
    ///
    /// - Parameter linkRules: the rules for its link and those of its actions; `nil` for the same. For the links of its
    ///   mail, `rules` decide which are tracked.
    package static func shape(rules: TargetRules, linkRules: TargetRules? = nil) -> JSONShape<Message> {
        func target(_ text: String) throws(TargetURLError) -> TargetURL {
            try TargetURL(text, rules: linkRules ?? rules)
        }
        func mailTarget(_ text: String) throws(TargetURLError) -> TargetURL { try TargetURL(text, rules: rules) }
        return shape(target: .string(target), .on) { fields, message in
            message.mailLinks = fields.mailLinks(of: message, target: mailTarget)
        }
    }

    /// A message as it is stored: the links of its mail are not searched again.
    static var storedShape: JSONShape<Message> {
        shape(target: .string(TargetURL.init(stored:)), .off) { fields, message in
            message.mailLinks = fields.optional(
                "mailLinks", .array(of: MailLink.storedShape, count: 0...message.maximumMailLinks), default: [])
        }
    }

    /// A message as it is written, with `target` for each of its URLs.
    private static func shape(
        target: JSONShape<TargetURL>, _ placeholders: PlaceholderCheck,
        mailLinks: @escaping (inout ObjectReader, inout Message) -> Void
    ) -> JSONShape<Message> {
        let line = placeholders.plain(JSONShape.text(length: 1...256, allowing: .oneLine))
        let text = JSONShape.text(length: 0...maximumTextLength)
        let target = placeholders.plain(target)
        let action = Action.shape(target: target, placeholders)
        return .object { fields throws(BodyProblems) in
            let name = fields.required("name", line)
            let tags = fields.tags(placeholders)
            let title = fields.optional("title", placeholders.plain(text))
            let body = fields.optional("body", placeholders.plain(text))
            let imageURL = fields.optional("imageUrl", placeholders.plain(.imageURL))
            let link = fields.link(target)
            let linkLabel = fields.label("linkLabel", of: link, placeholders)
            let actions = fields.optional(
                "actions", .array(of: action, count: 0...maximumActions), default: [])
            let badge = fields.optional("badge", .integer(in: 0...Int(Int32.max)))
            let sound = fields.optional("sound", line)
            let category = fields.optional("category", line)
            let contentAvailable = fields.optional("contentAvailable", .bool, default: false)
            let custom = fields.optional("custom", placeholders.custom(text), default: [])
            let html = fields.optional("html", .text(length: 0...MessageBody.maximumLength))
            let plainText = fields.optional("text", .text(length: 0...MessageBody.maximumLength))
            let openTracking = fields.optional("openTracking", .bool, default: false)
            let tracking = fields.optional("tracking", .bool, default: true)
            let purposes = fields.purposes()
            let expiresAt = fields.optional("expiresAt", .string(Timestamp.init(rfc3339:)))
            if Set(actions.map { Array($0.id.utf8) }).count < actions.count {
                fields.refuse("actions", "must not have two actions with the same id")
            }
            // The name is missing only if finishing throws.
            var message = Message(name: (try? name.get()) ?? "")
            message.html = html
            message.text = plainText
            message.openTracking = openTracking
            message.link = link
            message.linkLabel = linkLabel
            message.actions = actions
            mailLinks(&fields, &message)
            try fields.finish()
            message.tags = tags
            message.title = title
            message.body = body
            message.imageURL = imageURL
            message.badge = badge
            message.sound = sound
            message.category = category
            message.contentAvailable = contentAvailable
            message.custom = custom.map { CustomField(key: $0.name, value: $0.value) }
                .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            message.tracking = tracking
            message.purposes = purposes
            message.expiresAt = expiresAt
            return message
        }
    }

    /// Texts that are longer than any carrier accepts are refused before they are stored.
    private static let maximumTextLength = 65_536
    private static let maximumActions = 32
}

extension Message.Action {
    fileprivate static func shape(
        target: JSONShape<TargetURL>, _ placeholders: PlaceholderCheck
    ) -> JSONShape<Message.Action> {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", placeholders.plain(.text(length: 1...255, allowing: .oneLine)))
            let title = fields.required("title", placeholders.plain(.text(length: 1...1024)))
            let link = fields.link(target)
            let label = fields.label("label", of: link, placeholders)
            try fields.finish()
            return Message.Action(id: try id.get(), title: try title.get(), link: link, label: label)
        }
    }
}

extension ObjectReader {
    /// The members `link` and `deepLink`, which together mean one thing.
    fileprivate mutating func link(_ target: JSONShape<TargetURL>) -> Message.Link? {
        let url = optional("link", target)
        let isDeepLink = optional("deepLink", .bool, default: false)
        return url.map { Message.Link(target: $0, isDeepLink: isDeepLink) }
    }

    /// A label without a link is refused.
    fileprivate mutating func label(
        _ name: String, of link: Message.Link?, _ placeholders: PlaceholderCheck
    ) -> String? {
        let label = optional(name, placeholders.plain(.linkLabel))
        if label != nil, link == nil { refuse(name, "names the link, and there is none") }
        return label
    }

    /// The members `purpose`, which is for both activities, and `purposes`, which has one for each. Both together are
    /// refused, because it would be unclear which counts.
    fileprivate mutating func purposes() -> MessagePurposes {
        let shared = optional("purpose", .string(Purpose.init))
        let apart = optional("purposes", .purposes)
        if shared != nil, apart != nil { refuse("purposes", "must not be set beside purpose") }
        return apart ?? shared.map { MessagePurposes(both: $0) } ?? .tracking
    }

    /// Sorted, so that the given order makes no other message.
    fileprivate mutating func tags(_ placeholders: PlaceholderCheck) -> [MessageTag] {
        let tag = placeholders.plain(JSONShape.string(MessageTag.init))
        let shape = JSONShape.array(of: tag, count: 0...MessageTag.maximumCount)
        let tags = optional("tags", shape, default: [])
        if Set(tags).count < tags.count { refuse("tags", "must not have a tag twice") }
        return tags.sorted()
    }
}

extension JSONShape where Value == String {
    fileprivate static var linkLabel: JSONShape { .text(length: 1...128, allowing: .oneLine) }
}

extension JSONShape where Value == MessagePurposes {
    /// A purpose for each activity; a missing one is the default purpose.
    fileprivate static var purposes: JSONShape {
        .object { fields throws(BodyProblems) in
            let clicks = fields.optional("clicks", .string(Purpose.init), default: .tracking)
            let opens = fields.optional("opens", .string(Purpose.init), default: .tracking)
            try fields.finish()
            return MessagePurposes(clicks: clicks, opens: opens)
        }
    }
}

extension JSONShape where Value == TargetURL {
    /// The device fetches an image itself, so it must be a web URL, of any host.
    fileprivate static var imageURL: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let url = try JSONShape.string(TargetURL.init(stored:)).read(value, at: pointer)
            guard url.kind == .web else { throw BodyProblems(pointer, "must begin with https:// or http://") }
            return url
        }
    }
}
