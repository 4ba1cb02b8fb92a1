import JSON

/// A member that a command shows: an answer without it is not from the service.
struct AnswerMember: ExpressibleByStringLiteral {
    /// Such as `key.id`.
    private let path: String
    private let isList: Bool

    private init(path: String, isList: Bool) {
        self.path = path
        self.isList = isList
    }

    init(stringLiteral path: String) { self.init(path: path, isList: false) }

    /// A member that must be an array.
    static func list(_ path: String) -> Self { Self(path: path, isList: true) }

    /// - Returns: the first of `members` that is missing; `nil` if all are present.
    static func missing(_ members: [AnswerMember], in document: JSONValue) -> String? {
        members.first { !$0.stands(in: document) }?.path
    }

    private func stands(in document: JSONValue) -> Bool {
        let value = path.split(separator: ".").reduce(JSONValue?.some(document)) { $0?[String($1)] }
        return switch value {
        case nil, .null: false
        case .array: true
        default: !isList
        }
    }
}
