import JSON

extension JSONValue {
    /// A member of an object.
    subscript(name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[name]
    }

    var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// A scalar as people read it; a dash for a missing one.
    var text: String {
        switch self {
        case .null: "-"
        case .bool(let bool): bool ? "yes" : "no"
        case .string(let text): text
        case .number, .array, .object: String(decoding: serialized(), as: UTF8.self)
        }
    }
}
