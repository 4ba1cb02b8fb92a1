package import Identifiers

/// What was recorded about consent in an organization, and when recipients were erased, in the order of the commits.
/// May be called at once from anywhere.
package protocol ConsentFeed: Sendable {
    /// At most `limit` items behind `place`, in order. What is committed later stands behind all of them, whichever node
    /// wrote it. Of an unknown organization there are none.
    /// - Parameter place: of an item that the caller has; `nil` for the beginning.
    /// - Returns: `nil` for a place behind the end of the feed, which a database has after it was put back to an earlier
    ///   state.
    func items(
        after place: ConsentFeedPlace?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentFeedItem]?

    /// The place behind all that was committed.
    func end(in organization: OrganizationID) async throws -> ConsentFeedPlace?
}

/// A place in the feed, behind an item.
package enum ConsentFeedPlace: Hashable, Sendable {
    /// Behind a consent record that is older than the ledger.
    case record(ConsentRecordID)
    /// Behind the entry of the organization's ledger with this index. Each item is the entry of that index.
    case entry(UInt64)
}

/// One item of the feed, as it is read now: a record of a recipient who was erased since names nobody.
package struct ConsentFeedItem: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// - Parameter recipient: `nil` once they were erased.
        case recorded(ConsentRecord, recipient: RecipientID?)
        /// A recipient was erased. It says how many rows lost theirs, and nothing of whom they were about.
        case erased(at: Timestamp, Erasure)
    }

    package let place: ConsentFeedPlace
    package let content: Content

    package init(place: ConsentFeedPlace, content: Content) {
        self.place = place
        self.content = content
    }

    /// When it was committed, by the store's clock.
    package var instant: Timestamp {
        switch content {
        case .recorded(let record, _): record.recordedAt
        case .erased(let instant, _): instant
        }
    }
}
