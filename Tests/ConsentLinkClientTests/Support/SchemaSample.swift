import Foundation

/// Makes documents that fit a schema of `docs/openapi.yaml`, with every member that it knows.
struct SchemaSample {
    private typealias Node = [String: Any]

    private static let time = "2026-11-20T09:00:00.000Z"

    /// The names of a schema's properties.
    static func members(of schema: String) -> Set<String> {
        Set((resolved(["$ref": "#/components/schemas/\(schema)"])["properties"] as? Node ?? [:]).keys)
    }

    /// The words that an enum allows.
    static func words(of schema: String) -> Set<String> {
        Set(resolved(["$ref": "#/components/schemas/\(schema)"])["enum"] as? [String] ?? [])
    }

    /// A document that fits, in JSON.
    static func json(of schema: String) throws -> [UInt8] {
        let value = value(["$ref": "#/components/schemas/\(schema)"])
        return [UInt8](try JSONSerialization.data(withJSONObject: value, options: .fragmentsAllowed))
    }

    private static func resolved(_ node: Node) -> Node {
        if let reference = node["$ref"] as? String {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            let schema = try? JSONSerialization.jsonObject(with: Data((APIDocument.main.schemas[name] ?? "").utf8))
            return resolved(schema as? Node ?? [:])
        }
        let choices = node["allOf"] ?? node["anyOf"]
        if let first = (choices as? [Any])?.first as? Node { return resolved(first) }
        return node
    }

    private static func value(_ node: Node) -> Any {
        let node = resolved(node)
        if let words = node["enum"] as? [Any], let first = words.first { return first }
        let type = node["type"] as? String ?? (node["type"] as? [String])?.first
        switch type {
        case "object":
            var members = (node["properties"] as? Node ?? [:]).compactMapValues { ($0 as? Node).map(value) }
            if members.isEmpty, let other = node["additionalProperties"] as? Node { members["other"] = value(other) }
            return members
        case "array": return [value(node["items"] as? Node ?? [:])]
        case "integer": return 1
        case "number": return 0.5
        case "boolean": return true
        default: return node["format"] as? String == "date-time" ? time : "x"
        }
    }
}
