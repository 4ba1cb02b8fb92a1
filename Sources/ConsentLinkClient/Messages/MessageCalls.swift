import NIOHTTP1

extension OrganizationAPI {
    /// Stores a message. The same content under the same name is the same message. Scope: compose.
    ///
    /// ```swift
    /// let sale = try await acme.createMessage(Message(name: "sale", link: "https://shop.example/"))
    /// ```
    public func createMessage(_ message: Message, idempotencyKey: String? = nil) async throws -> StoredMessage {
        try WireCoding.decode(from: try await transport.make("\(path)/messages", message, idempotencyKey).bytes)
    }

    /// A message whole. Scope: compose or read.
    ///
    /// ```swift
    /// let title = try await acme.message("3440a67a38c8cf5c").content?.title
    /// ```
    public func message(_ id: String) async throws -> StoredMessage { try await transport.get(try messagePath(id)) }

    /// Switches a message's links off: their readers get 410. Scope: manage.
    ///
    /// ```swift
    /// try await acme.disableMessage("3440a67a38c8cf5c")
    /// ```
    @discardableResult
    public func disableMessage(_ id: String) async throws -> StoredMessage { try await set("disable", id) }

    /// Switches a message's links on again. Scope: manage.
    ///
    /// ```swift
    /// try await acme.enableMessage("3440a67a38c8cf5c")
    /// ```
    @discardableResult
    public func enableMessage(_ id: String) async throws -> StoredMessage { try await set("enable", id) }

    /// What was decided about a message and what came back, as `docs/openapi.yaml` describes the answer. Scope: read.
    ///
    /// ```swift
    /// struct Counts: Decodable { let composed, tracked: Int }
    /// let counts = try await acme.report(of: "3440a67a38c8cf5c").decoded(as: Counts.self)
    /// ```
    public func report(of message: String) async throws -> JSONDocument {
        let request = APIRequest(.GET, "\(try messagePath(message))/report", repetition: .always)
        return try JSONDocument(parsing: try await transport.answer(to: request).bytes)
    }

    private func messagePath(_ id: String) throws(ConsentLinkError) -> String {
        "\(path)/messages/\(try PathSegment(id))"
    }

    private func set(_ state: String, _ id: String) async throws -> StoredMessage {
        let request = APIRequest(.POST, "\(try messagePath(id))/\(state)", repetition: .always)
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }
}
