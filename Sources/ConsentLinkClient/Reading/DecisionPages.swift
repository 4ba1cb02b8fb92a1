/// Decisions page by page, oldest first. ``OrganizationAPI/decisions(_:)`` makes it.
public struct DecisionPages: AsyncSequence, Sendable {
    public typealias Element = DecisionPage

    let api: OrganizationAPI
    let query: DecisionQuery

    public func makeAsyncIterator() -> Iterator { Iterator(pages: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let pages: DecisionPages
        private var position = PagePosition()

        init(pages: DecisionPages) { self.pages = pages }

        public mutating func next() async throws -> DecisionPage? {
            guard !position.isAtEnd else { return nil }
            let page: DecisionPage = try await pages.api.transport.query(
                "\(pages.api.path)/decisions/query",
                PageRequest(query: pages.query, after: position.after, limit: PageSize.maximumCount),
                patience: Patience.long)
            try position.advance(to: page.next, isLast: page.next == nil)
            return page
        }
    }
}
