import Identifiers
import Messages
import SQL

/// The links that had been added to a message, as they were read before more are added.
struct KnownAddedLinks: Sendable {
    private(set) var links: [TargetURL: MessageLink] = [:]
    /// The index of the link that this process had added last; `nil` if nothing was read.
    private(set) var last: LinkIndex?

    /// Without reading anything.
    init() {}

    /// Reads the added links to the targets of `wanted`, if this process has added links to the message.
    /// - Throws: ``UnreadableMessageRow``
    init(
        to wanted: [MailLink], of message: StoredMessage, _ places: AddedLinkPlaces, _ db: any SQLConnection
    ) throws {
        // If the link of this process is not stored yet, it does not tell which other links are.
        guard let place = places.place(in: message.id)?.last, try AddedLinkRow.has(place, of: message.id, db) else {
            return
        }
        last = place
        for link in wanted {
            links[link.target] = try MessageRow.addedLink(to: link.target, of: message, db)
        }
    }
}

/// Adds links to a message that was read before, inside a write.
///
/// All other writes wait meanwhile, and there may be tens of thousands of links. So no link is looked up by a query of
/// its own, and all rows are sent together.
struct LinkAddition {
    private let message: StoredMessage
    private let places: AddedLinkPlaces
    private let db: any SQLConnection
    private let insert: RowInsert
    private var indexes: FreeLinkIndexes
    private var known: [TargetURL: MessageLink]
    /// The links that were added since `known` was read, then those of this write.
    private var newer: [MessageLink]
    /// How many of `newer` were added by other writes.
    private let others: Int

    /// - Parameters:
    ///   - message: without its added links.
    ///   - known: the links of its content by their targets, and those of the links added up to `last` that may be
    ///     wanted.
    ///   - last: the link that this process had added last; `nil` if no added links were read.
    /// - Throws: ``UnreadableMessageRow``
    init(
        to message: StoredMessage, known: [TargetURL: MessageLink], after last: LinkIndex?, _ places: AddedLinkPlaces,
        _ writing: WriteContext
    ) throws {
        (self.message, self.places, db) = (message, places, writing.db)
        let began = places.begin(at: writing.time(notBefore: .distantPast))
        let place = places.place(in: message.id)
        newer = try Self.links(of: message, after: last, through: place?.last, db)
        others = newer.count
        self.known = known.merging(newer.trackedByTarget) { earlier, _ in earlier }
        indexes = try FreeLinkIndexes(
            of: message, after: try place?.last ?? Self.place(in: message, since: began, writing),
            isFull: place?.isFull ?? false, db)
        insert = try AddedLinkRow.insertion(db)
    }

    /// The links that were added behind `last` up to `place`, which may have a lower index; all if either is `nil`.
    private static func links(
        of message: StoredMessage, after last: LinkIndex?, through place: LinkIndex?, _ db: any SQLConnection
    ) throws -> [MessageLink] {
        guard let last, let place else { return try MessageRow.addedLinks(of: message, after: nil, db) }
        if last == place { return [] }
        // Behind `place` there may be links of an earlier process, which do no harm.
        return try MessageRow.addedLinks(of: message, after: last < place ? last : nil, db)
    }

    /// The index behind which this process adds its first link to the message.
    /// - Parameter began: when this process began to make messages.
    private static func place(
        in message: StoredMessage, since began: Timestamp, _ writing: WriteContext
    ) throws -> LinkIndex {
        let indexes = message.content.addedLinkIndexes
        if message.createdAt >= began, let last = try AddedLinkRow.last(of: message.id, writing.db) { return last }
        let first = message.createdAt >= began ? indexes.first : indexes.randomElement(using: &writing.random)
        return LinkIndex(rawValue: UInt16((first ?? indexes.lowerBound) - 1))
    }

    /// The link to the target of `wanted`, which is added if there is none; `nil` if the message has its greatest
    /// number of links.
    mutating func link(_ wanted: MailLink) throws -> MessageLink? {
        if let link = known[wanted.target] { return link }
        guard let index = try indexes.next() else { return nil }
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
        // Also of a full message, so that the next write does not read all of its links.
        if let last = newer.last?.index ?? places.place(in: message.id)?.last, newer.count > others || indexes.isFull {
            places.set(AddedLinkPlaces.Place(last: last, isFull: indexes.isFull), in: message.id)
        }
        guard newer.count > others else { return nil }
        try insert.finish()
        let told = db.dialect.hasSeveralWriters ? newer : Array(newer.dropFirst(others))
        return try MessageRow.asItIsNow(message, with: told.sorted { $0.index < $1.index }, db)
    }
}
