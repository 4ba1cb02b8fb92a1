import Identifiers
import Messages
import SQL

/// The links that had been added to a message, as they were read before more are added.
struct KnownAddedLinks: Sendable {
    private(set) var links: [TargetURL: MessageLink] = [:]
    /// The index of the last added link of the message; `nil` if there was none.
    private(set) var last: LinkIndex?

    /// Without reading anything.
    init() {}

    /// Reads the added links to the targets of `wanted`.
    /// - Throws: ``UnreadableMessageRow``
    init(to wanted: [MailLink], of message: StoredMessage, _ db: any SQLConnection) throws {
        last = try AddedLinkRow.last(of: message.id, db)
        guard last != nil else { return }
        for link in wanted {
            links[link.target] = try MessageRow.readable(message.id, of: message.organization) {
                try AddedLinkRow.link(to: link.target, of: message.id, db)
            }
        }
    }
}

/// Adds links to a message that was read before, inside a write.
///
/// All other writes wait meanwhile, and there may be tens of thousands of links. So no link is looked up by a query of
/// its own, and all rows are sent together.
struct LinkAddition {
    private let message: StoredMessage
    private let db: any SQLConnection
    private let insert: RowInsert
    private var known: [TargetURL: MessageLink]
    /// How many links had been added when `known` was read.
    private let earlier: Int
    /// In the order of their indexes: the links that were added since then, then those of this write.
    private var newer: [MessageLink]
    /// How many of `newer` were added by other writes.
    private let others: Int

    /// - Parameters:
    ///   - message: without its added links.
    ///   - known: the links of its content by their targets, and those of the links added up to `last` that may be
    ///     wanted.
    /// - Throws: ``UnreadableMessageRow``
    init(
        to message: StoredMessage, known: [TargetURL: MessageLink], after last: LinkIndex?, _ db: any SQLConnection
    ) throws {
        (self.message, self.db) = (message, db)
        earlier = message.content.addedLinkCount(through: last)
        newer = try MessageRow.addedLinks(of: message, after: last, db)
        others = newer.count
        self.known = known.merging(newer.trackedByTarget) { earlier, _ in earlier }
        insert = try AddedLinkRow.insertion(db)
    }

    /// The link to the target of `wanted`, which is added if there is none; `nil` if the message has its greatest
    /// number of links.
    mutating func link(_ wanted: MailLink) throws -> MessageLink? {
        if let link = known[wanted.target] { return link }
        guard let index = message.content.linkIndex(afterAdding: earlier + newer.count) else {
            return nil
        }
        let link = wanted.added(at: index)
        try AddedLinkRow.add(link, of: message.id, to: insert)
        known[link.target] = link
        newer.append(link)
        return link
    }

    /// - Returns: the message for the followers of the rules; `nil` if no link was added. Within one process they keep
    ///   the links that they have and need only the new ones. The mirror of a node stores a message as a whole, so it
    ///   gets all links.
    func finish() throws -> StoredMessage? {
        guard newer.count > others else { return nil }
        try insert.finish()
        let told = db.dialect.hasSeveralWriters ? newer : Array(newer.dropFirst(others))
        return try MessageRow.asItIsNow(message, with: told, db)
    }
}
