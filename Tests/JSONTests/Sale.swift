import JSON

/// A body with a field of every kind, for the tests of shapes.
struct Sale: Equatable {
    enum Kind: String, CaseIterable {
        case push, mail
    }

    let name: String
    let purpose: Tag
    let kind: Kind
    let badge: UInt8?
    let tracking: Bool
    let actions: [Action]
    let custom: [String]
    let extra: JSONValue?

    static var shape: JSONShape<Sale> {
        .object { fields throws(BodyProblems) in
            let name = fields.required("name", .string)
            let purpose = fields.optional("purpose", .string(Tag.init), default: Tag(text: "tracking"))
            let kind = fields.required("kind", JSONShape<Kind>.choice)
            let badge = fields.optional("badge", .integer(in: 0...99 as ClosedRange<UInt8>))
            let tracking = fields.optional("tracking", .bool, default: true)
            let actions = fields.optional("actions", .array(of: Action.shape, count: 0...3), default: [])
            let custom = fields.optional("custom", .members(of: .string), default: [])
            let extra = fields.optional("extra", .any)
            if case .success(.mail) = kind, case .success("forbidden") = name {
                fields.refuse("name", "must not be that with mail")
            }
            try fields.finish()
            return Sale(
                name: try name.get(),
                purpose: purpose,
                kind: try kind.get(),
                badge: badge,
                tracking: tracking,
                actions: actions,
                custom: custom.map { "\($0.name)=\($0.value)" },
                extra: extra
            )
        }
    }
}

struct Action: Equatable {
    let id: String
    let title: String?

    static var shape: JSONShape<Action> {
        .object { fields throws(BodyProblems) in
            let id = fields.required("id", .string)
            let title = fields.optional("title", .string)
            try fields.finish()
            return Action(id: try id.get(), title: title)
        }
    }
}

/// A string with a rule of its own.
struct Tag: Equatable {
    let text: String

    init(text: String) { self.text = text }

    init(_ text: String) throws(TagError) {
        guard text == text.lowercased() else { throw .upperCase }
        self.text = text
    }
}

enum TagError: Error, CustomStringConvertible {
    case upperCase

    var description: String { "must be lower case" }
}
