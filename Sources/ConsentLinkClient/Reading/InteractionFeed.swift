/// The feed of interactions, page by page. ``OrganizationAPI/interactionFeed(_:following:)`` makes it.
///
/// Store ``InteractionPage/cursor`` and the results of a page in one transaction, and begin with that cursor the next
/// time: then each interaction counts exactly once, however often your program ends in between.
public struct InteractionFeed: AsyncSequence, Sendable {
    public typealias Element = InteractionPage

    let api: OrganizationAPI
    let query: InteractionQuery
    let following: Duration?

    public func makeAsyncIterator() -> Iterator { Iterator(feed: self, after: query.after) }

    public struct Iterator: AsyncIteratorProtocol {
        private static let shortestPause = Duration.milliseconds(100)

        let feed: InteractionFeed
        private var position: PagePosition

        init(feed: InteractionFeed, after: String?) {
            self.feed = feed
            position = PagePosition(after: after)
        }

        /// The next page that has at least one interaction. After a lost connection the page is requested again: it is
        /// the same page, or has more interactions at its end.
        public mutating func next() async throws -> InteractionPage? {
            while true {
                if position.isAtEnd {
                    guard let pause = feed.following else { return nil }
                    try await feed.api.transport.pause(Swift.max(pause, Self.shortestPause))
                }
                let page = try await feed.api.interactions(feed.query, after: position.after)
                try position.advance(to: page.cursor, isLast: page.next == nil)
                if !page.interactions.isEmpty { return page }
            }
        }
    }
}
