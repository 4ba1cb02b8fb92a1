package import Identifiers

/// The consent records and erasures of an organization, in the order of the commits. All calls may be concurrent.
package protocol ConsentFeed: Sendable {
    /// At most `limit` items behind `position`, in order. They end with the item with which their evidence is
    /// ``ConsentEvidence/lengthAtOnce`` long (``Array/hasMuchEvidence``). What is committed later comes behind all of
    /// them, whichever node wrote it. An unknown organization has no items.
    /// - Parameter position: the one of an item that the caller has; `nil` for the beginning.
    /// - Returns: `nil` for a position that the feed does not have. After a database was restored to an earlier state,
    ///   this is a position behind its end, or one whose index now has another entry.
    func items(
        after position: ConsentFeedPosition?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentFeedItem]?
}

/// A position in the feed, after an item.
package enum ConsentFeedPosition: Hashable, Sendable {
    /// After a consent record that is older than the ledger.
    case record(ConsentRecordID)
    /// After the entry with this index in the organization's ledger. Each item is one entry.
    /// - Parameter mark: distinguishes the item from another one that got the same index in a restored database
    ///   (``ConsentFeedItem/Content/mark``); `nil` for an entry that is not an item.
    case entry(UInt64, mark: UInt64?)
}

/// One item of the feed, in its present state: a record of a recipient who was erased since has no recipient.
package struct ConsentFeedItem: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        /// - Parameter recipient: `nil` after the recipient was erased.
        case recorded(ConsentRecord, recipient: RecipientID?)
        /// A recipient was erased. It has the numbers of rows that lost their recipient, but nothing about the
        /// recipient.
        case erased(at: Timestamp, ErasureCounts)

        /// The id of the record, or the time of the erasure. It differs for each item.
        package var mark: UInt64 {
            switch self {
            case .recorded(let record, _): record.id.rawValue
            case .erased(let instant, _): UInt64(bitPattern: instant.millisecondsSince1970)
            }
        }
    }

    package let position: ConsentFeedPosition
    package let content: Content

    package init(position: ConsentFeedPosition, content: Content) {
        self.position = position
        self.content = content
    }

    /// The time of the commit, by the store's clock.
    package var instant: Timestamp {
        switch content {
        case .recorded(let record, _): record.recordedAt
        case .erased(let instant, _): instant
        }
    }
}

extension [ConsentFeedItem] {
    /// Whether there may be more items, however few these are: a store reads no more evidence at once.
    package var hasMuchEvidence: Bool {
        reduce(0) { $0 + $1.evidenceLength } >= ConsentEvidence.lengthAtOnce
    }
}

extension ConsentFeedItem {
    /// See ``ConsentEvidence/length``.
    package var evidenceLength: Int {
        if case .recorded(let record, _) = content { record.evidence?.length ?? 0 } else { 0 }
    }
}
