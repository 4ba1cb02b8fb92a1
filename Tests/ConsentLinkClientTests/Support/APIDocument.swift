import Foundation
import Yams

/// What `docs/openapi.yaml` and `docs/openapi-streams.yaml` say.
struct APIDocument: Sendable {
    struct Operation: Sendable, CustomStringConvertible {
        let id: String
        let method: String
        /// Such as `/v1/orgs/{org}/keys`.
        let path: String
        /// Types of the body; empty where there is none.
        let sends: Set<String>
        /// Types of the answers from 200 to 299.
        let answers: Set<String>
        /// The first example of the answer as JSON, by its type.
        let examples: [String: String]

        var description: String { id }
    }

    static let main = read("openapi.yaml")
    static let streams = read("openapi-streams.yaml")

    let operations: [Operation]
    /// As JSON, by their names.
    let schemas: [String: String]

    /// The answer of an operation, as an example has it.
    func example(of id: String) -> String {
        operations.first { $0.id == id }?.examples["application/json"] ?? ""
    }

    private typealias Node = [String: Any]

    private static func read(_ name: String) -> APIDocument {
        let folder = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let file = folder.appending(path: "docs/\(name)")
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let root = (try? Yams.load(yaml: text)) as? Node,
            let paths = root["paths"] as? Node
        else { return APIDocument(operations: [], schemas: [:]) }
        let schemas = (root["components"] as? Node)?["schemas"] as? Node ?? [:]
        return APIDocument(
            operations: paths.flatMap { path, methods in
                (methods as? Node ?? [:]).compactMap { method, node in operation(path, method, node as? Node) }
            }, schemas: schemas.compactMapValues(json))
    }

    private static func json(_ value: Any) -> String? {
        guard JSONSerialization.isValidJSONObject(value),
            let bytes = try? JSONSerialization.data(withJSONObject: value)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func operation(_ path: String, _ method: String, _ node: Node?) -> Operation? {
        guard let node, let id = node["operationId"] as? String else { return nil }
        let body = node["requestBody"] as? Node
        // A body that stands elsewhere is JSON.
        let sent = body.map { content(of: $0).map { Set($0.keys) } ?? ["application/json"] } ?? []
        var examples: [String: String] = [:]
        var answers: Set<String> = []
        for (status, answer) in node["responses"] as? Node ?? [:] where status.hasPrefix("2") {
            for (type, body) in content(of: answer as? Node ?? [:]) ?? [:] {
                answers.insert(type)
                examples[type] = examples[type] ?? example(in: body as? Node ?? [:])
            }
        }
        return Operation(
            id: id, method: method.uppercased(), path: path, sends: sent, answers: answers, examples: examples)
    }

    private static func content(of node: Node) -> Node? { node["content"] as? Node }

    private static func example(in body: Node) -> String? {
        guard let example = (body["examples"] as? Node)?.values.first as? Node else { return nil }
        return example["value"].flatMap(json)
    }
}
