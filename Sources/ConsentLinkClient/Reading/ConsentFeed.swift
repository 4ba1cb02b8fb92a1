public import Foundation

/// The kind of an item of the consent feed, or of an event that is sent to an endpoint.
public struct EventKind: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let consentRecorded: EventKind = "consent.recorded"
    public static let recipientErased: EventKind = "recipient.erased"
    public static let messageDisabled: EventKind = "message.disabled"
    public static let interactionsAvailable: EventKind = "interactions.available"
    public static let endpointFailing: EventKind = "endpoint.failing"
    /// The owner of the endpoint requested a test event.
    public static let endpointTest: EventKind = "endpoint.test"
}

/// An item of the consent feed: a consent record, or an erasure.
public struct ConsentChange: Sendable, Hashable, Decodable {
    /// The place after this item.
    public let cursor: String
    /// ``EventKind/consentRecorded`` or ``EventKind/recipientErased``.
    public let kind: EventKind
    /// The record as it is now: it names no recipient once they were erased. `nil` for an erasure.
    public let consent: ConsentRecord?
    public let erasedAt: Date?
    /// How many stored things no longer name the recipient. It does not say who was erased. `nil` for a record.
    public let erasure: Erasure?
}

/// A page of the consent feed, in the order of the commits.
public struct ConsentChangePage: Sendable, Hashable, Decodable {
    public let changes: [ConsentChange]
    /// The place after the last item of the page. Keep it to ask for later items.
    public let cursor: String
    /// `nil` if there are no more at present.
    public let next: String?
}

/// The consent feed, page by page. ``OrganizationAPI/consentFeed(after:following:)`` makes it.
///
/// Store ``ConsentChangePage/cursor`` and the results of a page in one transaction, and begin with that cursor the next
/// time: then each change counts exactly once, however often your program ends in between.
public struct ConsentFeed: AsyncSequence, Sendable {
    public typealias Element = ConsentChangePage

    let api: OrganizationAPI
    let after: String?
    let isFollowing: Bool

    public func makeAsyncIterator() -> Iterator { Iterator(feed: self, after: after) }

    public struct Iterator: AsyncIteratorProtocol {
        /// In seconds; the most that the service allows.
        private static let wait = 30
        /// An empty page that comes sooner was not waited for: a service that is about to end answers at once.
        private static let soon = Duration.seconds(wait) / 2
        private static let pauses = RetryPolicy(attempts: .max, maximumPause: .seconds(5))

        let feed: ConsentFeed
        private var position: PagePosition
        /// How many empty pages in a row came too soon.
        private var soonCount = 0

        init(feed: ConsentFeed, after: String?) {
            self.feed = feed
            position = PagePosition(after: after)
        }

        /// The next page that has at least one change. At the end of the feed the service waits; if it does not, the
        /// iterator pauses, longer each time, for 5 seconds at most.
        public mutating func next() async throws -> ConsentChangePage? {
            while true {
                guard !position.isAtEnd || feed.isFollowing else { return nil }
                try Task.checkCancellation()
                let (begin, isWaiting) = (ContinuousClock.now, position.isAtEnd)
                let page = try await feed.api.consentChanges(
                    after: position.after, limit: PageSize.maximumCount, wait: isWaiting ? Self.wait : 0)
                try position.advance(to: page.cursor, isLast: page.next == nil)
                guard page.changes.isEmpty else {
                    soonCount = 0
                    return page
                }
                soonCount = isWaiting && begin.duration(to: .now) < Self.soon ? soonCount + 1 : 0
                let chance = Double.random(in: 0...1)
                guard soonCount > 0,
                    let pause = Self.pauses.pause(after: soonCount, retryAfter: nil, chance: chance)
                else { continue }
                try await feed.api.transport.pause(pause)
            }
        }
    }
}
