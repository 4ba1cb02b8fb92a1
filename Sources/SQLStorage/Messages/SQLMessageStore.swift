import Cryptography
package import Identifiers
package import Messages
import SQL
import StoragePorts

/// Messages in a database.
package struct SQLMessageStore: MessageStore {
    let database: any SQLDatabase
    private let guarded: GuardedDatabase
    private let places = AddedLinkPlaces()

    init(_ guarded: GuardedDatabase) {
        database = guarded.database
        self.guarded = guarded
    }

    package func save(
        _ message: Message,
        in organization: OrganizationID,
        at asked: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        let content = try message.canonicalJSON
        let digest = SHA256.hash(of: content)
        // Usually the message exists already, and a look-up needs no commit.
        if fingerprint == nil, let found = try await find(message, content, digest, in: organization) {
            return (found, false)
        }
        let saved = try await closingLedgerIfUnreadable {
            try await database.write { [places] writing in
                let now = writing.time(notBefore: asked)
                places.begin(at: now)
                try RequestRow.requireFree(fingerprint, writing)
                let saved = try Self.save(message, content, digest, in: organization, at: now, writing)
                let id = saved.message.id.number
                try RequestRow.insert(
                    fingerprint,
                    RequestEffect(first: id, last: id, isNew: saved.isNew),
                    at: now,
                    writing
                )
                if saved.isNew { writing.addChange(.message(saved.message)) }
                return saved
            }
        }
        return (saved.message, saved.isNew)
    }

    package func confirm() async throws { try await database.readCurrent { _ in } }

    private func find(
        _ message: Message, _ content: [UInt8], _ digest: [UInt8], in organization: OrganizationID
    ) async throws -> StoredMessage? {
        let isSmall = content.count <= MessageLook.fewBytes
        return try await closingLedgerIfUnreadable {
            let found = try await database.read(isSmall ? .short : .long(owner: organization.hashValue)) { db in
                let number = try OrganizationRow.number(of: organization, db)
                return try MessageRow.find(digest: digest, organization: number, db)
            }
            return try found?.message(parsedAs: message, of: content)
        }
    }

    private static func save(
        _ message: Message,
        _ content: [UInt8],
        _ digest: [UInt8],
        in organization: OrganizationID,
        at now: Timestamp,
        _ writing: WriteContext
    ) throws -> SavedMessage {
        let db = writing.db
        let number = try OrganizationRow.require(organization, db).number
        if let found = try MessageRow.find(digest: digest, organization: number, db) {
            return SavedMessage(message: try found.message(parsedAs: message, of: content), isNew: false)
        }
        guard !message.hasEnded(at: now) else { throw MessageHasEnded() }
        let new = StoredMessage(
            id: writing.makeID(.messages, at: now),
            organization: organization,
            content: message,
            createdAt: now,
            isDisabled: false
        )
        try MessageRow.insert(new, content: content, digest: digest, organization: number, db)
        return SavedMessage(message: new, isNew: true)
    }

    package func message(_ id: MessageID, in organization: OrganizationID) async throws -> StoredMessage? {
        try await find(id, in: organization, withAddedLinks: true)
    }

    package func size(of id: MessageID, in organization: OrganizationID) async throws -> Int? {
        try await database.read { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return nil }
            return try db.statement("SELECT length(content) FROM messages WHERE id = ? AND organization = ?")
                .first(id, number) { Int($0.integer(0)) }
        }
    }

    package func sizeOfAddedLinks(
        of id: MessageID, in organization: OrganizationID, upTo limit: Int
    ) async throws -> Int {
        try await database.read { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db),
                try MessageOwner.find(id, db)?.organization == number
            else { return 0 }
            return try AddedLinkRow.size(of: id, upTo: limit, db)
        }
    }

    package func message(_ id: MessageID) async throws -> StoredMessage? {
        try await find(id, in: nil, withAddedLinks: true)
    }

    package func messageWithoutAddedLinks(_ id: MessageID, in organization: OrganizationID) async throws
        -> StoredMessage?
    {
        try await find(id, in: organization, withAddedLinks: false)
    }

    /// A message that is not found is looked up again in the current state, because a server that was replaced may not
    /// know it.
    ///
    /// Every request needs a connection for short reads, and there are few. So a small message is parsed when its
    /// connection is free again. A large one is read and parsed on a connection for long reads, where organizations
    /// take turns. A click has no other thread for work that takes long.
    /// - Parameter organization: `nil` finds the message of any organization.
    private func find(
        _ id: MessageID, in organization: OrganizationID?, withAddedLinks hasLinks: Bool
    ) async throws -> StoredMessage? {
        try await closingLedgerIfUnreadable {
            let look = try await database.readCurrent(unless: { $0 != nil }) { db in
                try MessageRow.look(at: id, withAddedLinks: hasLinks, db)
            }
            guard let look, look.organization == organization ?? look.organization else { return nil }
            switch look {
            case .small(let message): return try message.message()
            case .large(let owner):
                return try await database.readCurrent(.long(owner: owner.hashValue), unless: { $0 != nil }) { db in
                    try hasLinks ? MessageRow.find(id, db) : MessageRow.findWithoutAddedLinks(id, db)
                }
            }
        }
    }

    /// A message that cannot be read closes the ledger of its organization.
    /// - Throws: `UnreadableMessage`
    func closingLedgerIfUnreadable<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        try await guarded.run(onMessages: body)
    }

    package func addLinks(
        _ links: [MailLink],
        to id: MessageID,
        in organization: OrganizationID
    ) async throws -> [MessageLink?]? {
        // The content never changes and can be long, so it is read outside the write. The added links are, too, unless
        // several processes write: a replaced server may answer with links that its successor never had. Only the
        // wanted links are read.
        guard let message = try await messageWithoutAddedLinks(id, in: organization) else { return nil }
        return try await closingLedgerIfUnreadable {
            let added =
                try await database.hasSeveralWriters
                ? KnownAddedLinks() : database.read { db in try KnownAddedLinks(to: links, of: message, places, db) }
            let known = message.links.trackedByTarget.merging(added.links) { own, _ in own }
            return try await database.write { [places] writing in
                var addition = try LinkAddition(
                    to: message, known: known, after: added.last, places, writing)
                let found = try links.map { try addition.link($0) }
                if let changed = try addition.finish() { writing.addChange(.message(changed)) }
                return found
            }
        }
    }

    package func setDisabled(
        _ isDisabled: Bool,
        message id: MessageID,
        in organization: OrganizationID
    ) async throws -> StoredMessage? {
        // The content never changes and can be long, so it is read outside the write.
        guard let message = try await messageWithoutAddedLinks(id, in: organization) else { return nil }
        return try await closingLedgerIfUnreadable {
            try await database.write { writing in
                let db = writing.db
                guard let wasDisabled = try MessageRow.isDisabled(id, of: organization, db) else { return nil }
                try db.statement("UPDATE messages SET is_disabled = ? WHERE id = ?").run(isDisabled, id)
                if isDisabled, !wasDisabled {
                    let number = try OrganizationRow.require(organization, db).number
                    try EndpointEventRow.messageDisabled(
                        id, of: number, at: writing.time(notBefore: .distantPast), db)
                }
                var changed = message.having(only: try MessageRow.addedLinks(of: message, after: nil, db))
                changed.isDisabled = isDisabled
                writing.addChange(.message(changed))
                return changed
            }
        }
    }
}

private struct SavedMessage: Sendable {
    let message: StoredMessage
    let isNew: Bool
}
