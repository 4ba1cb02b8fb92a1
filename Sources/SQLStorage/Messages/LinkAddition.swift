import Identifiers
import Messages
import SQL

/// What was read of the links that were added to a message, before others are.
struct KnownAddedLinks: Sendable {
    private(set) var links: [TargetURL: MessageLink] = [:]
    /// The last of all that the message had; `nil` when it had none.
    private(set) var last: LinkIndex?

    /// Nothing was read.
    init() {}

    /// Those to the targets of `wanted`.
    /// - Throws: ``UnreadableMessageRow``
    init(to wanted: [MailLink], of message: StoredMessage, _ db: any SQLConnection) throws {
        last = try AddedLinkRow.last(of: message.id, db)
        guard last != nil else { return }
        for link in wanted {
            links[link.target] = try MessageRow.readable(message) {
                try AddedLinkRow.link(to: link.target, of: message.id, db)
            }
        }
    }
}

/// Adds links to a message that was read before, inside a write.
///
/// All other writes wait meanwhile, and there may be tens of thousands of links: so none is asked for alone, and all rows
/// are sent together.
struct LinkAddition {
    private let message: StoredMessage
    private let db: any SQLConnection
    private let insert: RowInsert
    private var known: [TargetURL: MessageLink]
    /// How many links had been added when the known ones were read.
    private let earlier: Int
    /// In the order of their indexes: those that were added since then, then those of this write.
    private var newer: [MessageLink]
    /// How many of them are not of this write.
    private let others: Int

    /// - Parameters:
    ///   - message: without the links that were added to it.
    ///   - known: the links of its content by their targets, and those added up to `last` that may be asked for.
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

    /// The link to the target of `wanted`, which is added where there is none; `nil` when the message has all the links
    /// that it may have.
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

    /// - Returns: the message as those who follow the changes must know it; `nil` when nothing was added. They keep the
    ///   links that they know; a node's mirror keeps messages as a whole, so it is told of all links.
    func finish() throws -> StoredMessage? {
        guard newer.count > others else { return nil }
        try insert.finish()
        let told = db.dialect.hasSeveralWriters ? newer : Array(newer.dropFirst(others))
        return try MessageRow.asItIsNow(message, with: told, db)
    }
}
