import Identifiers
import Messages
import SQL

/// Adds links to a message that was read before, inside a write.
///
/// All other writes wait meanwhile, and there may be tens of thousands of links: so none is asked for alone, and all rows
/// are sent together.
struct LinkAddition {
    private let message: StoredMessage
    private let db: any SQLConnection
    private let insert: RowInsert
    private var known: [TargetURL: MessageLink]
    /// In the order of their indexes: those that the message as it was read does not have, then those of this write.
    private var newer: [MessageLink]
    /// How many of them are not of this write.
    private let others: Int

    /// - Parameter known: the links of `message` by their targets.
    /// - Throws: ``UnreadableMessageRow``
    init(to message: StoredMessage, known: [TargetURL: MessageLink], _ db: any SQLConnection) throws {
        (self.message, self.db) = (message, db)
        newer = try MessageRow.addedLinks(of: message, after: message.addedLinks.last?.index, db)
        others = newer.count
        self.known = known.merging(newer.trackedByTarget) { earlier, _ in earlier }
        insert = try AddedLinkRow.insertion(db)
    }

    /// The link to the target of `wanted`, which is added where there is none; `nil` when the message has all the links
    /// that it may have.
    mutating func link(_ wanted: MailLink) throws -> MessageLink? {
        if let link = known[wanted.target] { return link }
        guard let index = message.content.linkIndex(afterAdding: message.addedLinks.count + newer.count) else {
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
        let told = db.dialect.hasSeveralWriters ? message.addedLinks + newer : Array(newer.dropFirst(others))
        return try MessageRow.asItIsNow(message, with: told, db)
    }
}
