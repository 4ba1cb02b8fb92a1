import Cryptography
package import Identifiers
import Ledger
package import Messages
import SQL
import StoragePorts

/// Messages in a database.
package struct SQLMessageStore: MessageStore {
    let database: any SQLDatabase
    private let closing: LedgerClosing

    init(_ closing: LedgerClosing) {
        database = closing.database
        self.closing = closing
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
        if fingerprint == nil, let found = try await find(digest, in: organization) { return (found, false) }
        let saved = try await closingUnreadable {
            try await database.write { writing in
                let now = writing.time(notBefore: asked)
                try RequestRow.requireFree(fingerprint, writing)
                let saved = try Self.save(message, content, digest, in: organization, at: now, writing)
                let id = saved.message.id.number
                try RequestRow.insert(
                    fingerprint,
                    RequestEffect(first: id, last: id, isNew: saved.isNew),
                    at: now,
                    writing
                )
                if saved.isNew { writing.note(.message(saved.message)) }
                return saved
            }
        }
        return (saved.message, saved.isNew)
    }

    package func confirm() async throws { try await database.readCurrent { _ in } }

    private func find(_ digest: [UInt8], in organization: OrganizationID) async throws -> StoredMessage? {
        try await closingUnreadable {
            try await database.read { db in
                let number = try OrganizationRow.number(of: organization, db)
                return try MessageRow.findWithoutAddedLinks(digest: digest, organization: number, db)
            }
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
        if let found = try MessageRow.findWithoutAddedLinks(digest: digest, organization: number, db) {
            return SavedMessage(message: found, isNew: false)
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
        let found = try await message(id)
        return found?.organization == organization ? found : nil
    }

    package func size(of id: MessageID) async throws -> Int? {
        try await database.read { db in
            try db.statement("SELECT length(content) FROM messages WHERE id = ?").first(id) { Int($0.integer(0)) }
        }
    }

    package func sizeOfAddedLinks(of id: MessageID, upTo limit: Int) async throws -> Int {
        try await database.read { db in try AddedLinkRow.size(of: id, upTo: limit, db) }
    }

    package func message(_ id: MessageID) async throws -> StoredMessage? {
        try await find { try MessageRow.find(id, $0) }
    }

    package func messageWithoutAddedLinks(_ id: MessageID, in organization: OrganizationID) async throws
        -> StoredMessage?
    {
        let found = try await find { try MessageRow.findWithoutAddedLinks(id, $0) }
        return found?.organization == organization ? found : nil
    }

    /// A message that is not found is looked up again in the current state, because a server that was replaced may not
    /// know it.
    private func find(
        _ read: @escaping @Sendable (any SQLConnection) throws -> StoredMessage?
    ) async throws -> StoredMessage? {
        try await closingUnreadable { try await database.readCurrent(unless: { $0 != nil }, read) }
    }

    /// A message that cannot be read closes the ledger of its organization.
    /// - Throws: `UnreadableMessage`
    func closingUnreadable<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let row as UnreadableMessageRow {
            let fault = LedgerDerivation.message(String(UInt64(bitPattern: row.id), radix: 16), row.fault)
            closing.ledgers.close(because: LedgerInconsistency(row.organization, .derived(fault)))
            throw UnreadableMessage()
        }
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
        return try await closingUnreadable {
            let added =
                try await database.hasSeveralWriters
                ? KnownAddedLinks() : database.read { db in try KnownAddedLinks(to: links, of: message, db) }
            let known = message.links.trackedByTarget.merging(added.links) { own, _ in own }
            return try await database.write { writing in
                var addition = try LinkAddition(to: message, known: known, after: added.last, writing.db)
                let found = try links.map { try addition.link($0) }
                if let changed = try addition.finish() { writing.note(.message(changed)) }
                return found
            }
        }
    }

    package func setDisabled(
        _ isDisabled: Bool,
        message id: MessageID,
        in organization: OrganizationID
    ) async throws -> StoredMessage? {
        try await closingUnreadable {
            try await database.write { writing in
                guard let found = try MessageRow.find(id, writing.db), found.organization == organization else {
                    return nil
                }
                try writing.db.statement("UPDATE messages SET is_disabled = ? WHERE id = ?").run(isDisabled, id)
                if isDisabled, !found.isDisabled {
                    let number = try OrganizationRow.require(organization, writing.db).number
                    try EndpointEventRow.messageDisabled(
                        id, of: number, at: writing.time(notBefore: .distantPast), writing.db)
                }
                var changed = found
                changed.isDisabled = isDisabled
                writing.note(.message(changed))
                return changed
            }
        }
    }
}

private struct SavedMessage: Sendable {
    let message: StoredMessage
    let isNew: Bool
}
