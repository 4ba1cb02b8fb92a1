import Identifiers
package import JSON

extension Message {
    /// How a message is written by a backend, its targets held to `rules`.
    package static func shape(rules: TargetRules) -> JSONShape<Message> {
        func target(_ text: String) throws(TargetURLError) -> TargetURL { try TargetURL(text, rules: rules) }
        return shape(target: .string(target)) { fields, message in
            message.mailLinks = fields.mailLinks(of: message, target: target)
        }
    }

    /// How a message is stored: the links of its mail are not looked for again.
    static var storedShape: JSONShape<Message> {
        shape(target: .string(TargetURL.init(stored:))) { fields, message in
            message.mailLinks = fields.optional("mailLinks", .array(of: MailLink.storedShape), default: [])
        }
    }

    /// How a message is written, with `target` for each of its URLs.
    private static func shape(
        target: JSONShape<TargetURL>, mailLinks: @escaping (inout ObjectReader, inout Message) -> Void
    ) -> JSONShape<Message> {
        .object { fields throws(BodyProblems) in
            let name = fields.required("name", .text(length: 1...256, allowing: .oneLine))
            let tags = fields.tags()
            let title = fields.optional("title", .text(length: 0...maximumTextLength))
            let body = fields.optional("body", .text(length: 0...maximumTextLength))
            let imageURL = fields.optional("imageUrl", .imageURL)
            let link = fields.link(target)
            let linkLabel = fields.label("linkLabel", of: link)
            let actions = fields.optional(
                "actions", .array(of: Action.shape(target: target), count: 0...maximumActions), default: [])
            let badge = fields.optional("badge", .integer(in: 0...Int(Int32.max)))
            let sound = fields.optional("sound", .text(length: 1...256, allowing: .oneLine))
            let category = fields.optional("category", .text(length: 1...256, allowing: .oneLine))
            let contentAvailable = fields.optional("contentAvailable", .bool, default: false)
            let custom = fields.optional("custom", .members(of: .text(length: 0...maximumTextLength)), default: [])
            let html = fields.optional("html", .text(length: 0...MessageBody.maximumLength))
            let text = fields.optional("text", .text(length: 0...MessageBody.maximumLength))
            let openTracking = fields.optional("openTracking", .bool, default: false)
            let tracking = fields.optional("tracking", .bool, default: true)
            let purpose = fields.optional("purpose", .string(Purpose.init), default: .tracking)
            let expiresAt = fields.optional("expiresAt", .string(Timestamp.init(rfc3339:)))
            if Set(actions.map { Array($0.id.utf8) }).count < actions.count {
                fields.refuse("actions", "must not have two actions with the same id")
            }
            // The name is missing only where finishing throws.
            var message = Message(name: (try? name.get()) ?? "")
            message.html = html
            message.text = text
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
            message.purpose = purpose
            message.expiresAt = expiresAt
            return message
        }
    }

    /// Longer texts than any carrier takes are refused before they are stored.
    private static let maximumTextLength = 65_536
    private static let maximumActions = 32
}

extension Message.Action {
    fileprivate static func shape(target: JSONShape<TargetURL>) -> JSONShape<Message.Action> {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", .text(length: 1...255, allowing: .oneLine))
            let title = fields.required("title", .text(length: 1...1024))
            let link = fields.link(target)
            let label = fields.label("label", of: link)
            try fields.finish()
            return Message.Action(id: try id.get(), title: try title.get(), link: link, label: label)
        }
    }
}

extension ObjectReader {
    /// The members `link` and `deepLink`, which mean one thing together.
    fileprivate mutating func link(_ target: JSONShape<TargetURL>) -> Message.Link? {
        let url = optional("link", target)
        let isDeepLink = optional("deepLink", .bool, default: false)
        return url.map { Message.Link(target: $0, isDeepLink: isDeepLink) }
    }

    /// A label without a link names nothing: it is refused.
    fileprivate mutating func label(_ name: String, of link: Message.Link?) -> String? {
        let label = optional(name, .linkLabel)
        if label != nil, link == nil { refuse(name, "names the link, and there is none") }
        return label
    }

    /// In order, so that the order in which they were given makes no other message.
    fileprivate mutating func tags() -> [MessageTag] {
        let shape = JSONShape.array(of: JSONShape.string(MessageTag.init), count: 0...MessageTag.maximumCount)
        let tags = optional("tags", shape, default: [])
        if Set(tags).count < tags.count { refuse("tags", "must not have a tag twice") }
        return tags.sorted()
    }
}

extension JSONShape where Value == String {
    fileprivate static var linkLabel: JSONShape { .text(length: 1...128, allowing: .oneLine) }
}

extension JSONShape where Value == TargetURL {
    /// An image is fetched by the device itself, so it can only be of the web, from wherever.
    fileprivate static var imageURL: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let url = try JSONShape.string(TargetURL.init(stored:)).read(value, at: pointer)
            guard url.kind == .web else { throw BodyProblems(pointer, "must begin with https:// or http://") }
            return url
        }
    }
}
