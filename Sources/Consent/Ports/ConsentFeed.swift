package import Identifiers

/// What was recorded about consent in an organization, and when recipients were erased, in the order of the commits.
/// May be called at once from anywhere.
package protocol ConsentFeed: Sendable {
    /// At most `limit` items behind `place`, in order. What is committed later stands behind all of them, whichever node
    /// wrote it. Of an unknown organization there are none.
    /// - Parameter place: of an item that the caller has; `nil` for the beginning.
    /// - Returns: `nil` for a place that the feed does not have. After a database was put back to an earlier state, such
    ///   is one behind its end, and one whose entry is another now.
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
    /// - Parameter mark: tells the item from another one that got the index in a database that was put back
    ///   (``ConsentFeedItem/Content/mark``); `nil` for an entry that is no item.
    case entry(UInt64, mark: UInt64?)
}

/// One item of the feed, as it is read now: a record of a recipient who was erased since names nobody.
package struct ConsentFeedItem: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// - Parameter recipient: `nil` once they were erased.
        case recorded(ConsentRecord, recipient: RecipientID?)
        /// A recipient was erased. It says how many rows lost theirs, and nothing of whom they were about.
        case erased(at: Timestamp, Erasure)

        /// The id of the record, or when the recipient was erased: another item has another one.
        package var mark: UInt64 {
            switch self {
            case .recorded(let record, _): record.id.rawValue
            case .erased(let instant, _): UInt64(bitPattern: instant.millisecondsSince1970)
            }
        }
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
