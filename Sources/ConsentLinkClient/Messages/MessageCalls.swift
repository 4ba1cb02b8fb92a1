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

    /// A whole message. Scope: compose or read.
    ///
    /// ```swift
    /// let title = try await acme.message("3440a67a38c8cf5c").content?.title
    /// ```
    public func message(_ id: String) async throws -> StoredMessage { try await transport.get(try messagePath(id)) }

    /// Switches a message's links off: they answer 410. Scope: manage.
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

    /// Messages without their content, newest first. Scope: compose or read.
    ///
    /// ```swift
    /// for try await message in acme.messages(MessageQuery(tag: "shop")) { print(message.name, message.createdAt) }
    /// ```
    public func messages(_ query: MessageQuery = MessageQuery()) -> ListedItems<MessageSummary> {
        ListedItems { after in
            let page = try await messagePage(query, after: after, limit: PageSize.maximumCount)
            return ItemPage(items: page.messages, next: page.next)
        }
    }

    /// A page of messages, newest first, for instance to show. Scope: compose or read.
    ///
    /// ```swift
    /// let page = try await acme.messagePage(MessageQuery(namePrefix: "spring-"), limit: 20)
    /// ```
    /// - Parameters:
    ///   - after: ``MessagePage/next`` of the page before; `nil` is the first page.
    ///   - limit: 1 to 1,000.
    public func messagePage(
        _ query: MessageQuery = MessageQuery(), after: String? = nil, limit: Int = 100
    ) async throws -> MessagePage {
        let string = try QueryString().adding("name", query.namePrefix).adding("tag", query.tag)
            .adding("from", query.from).adding("to", query.to).adding("after", after).adding("limit", limit)
        return try await transport.get("\(path)/messages", string)
    }

    func messagePath(_ id: String) throws(ConsentLinkError) -> String {
        "\(path)/messages/\(try PathSegment(id))"
    }

    private func set(_ state: String, _ id: String) async throws -> StoredMessage {
        let request = APIRequest(.POST, "\(try messagePath(id))/\(state)", repetition: .always)
        return try WireCoding.decode(from: try await transport.answer(to: request).bytes)
    }
}
