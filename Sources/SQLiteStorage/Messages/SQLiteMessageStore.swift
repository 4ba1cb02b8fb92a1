import Cryptography
import GRDB
package import Identifiers
package import Messages
import Organizations

/// Messages in the main file.
package struct SQLiteMessageStore: MessageStore {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    package func save(
        _ message: Message,
        in organization: OrganizationID,
        at now: Timestamp,
        once mark: RequestMark?
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        let content = try message.canonicalJSON
        let digest = SHA256.hash(of: content)
        // Mostly the message is there already, and looking costs no commit.
        if mark == nil, let found = try await find(digest, in: organization) { return (found, false) }
        let saved = try await database.write { writing in
            try RequestRow.requireFree(mark, at: now, writing)
            let saved = try Self.save(message, content, digest, in: organization, at: now, writing)
            let id = saved.message.id.number
            try RequestRow.insert(
                mark,
                RequestEffect(first: id, last: id, isNew: saved.isNew),
                at: now,
                writing
            )
            return saved
        }
        return (saved.message, saved.isNew)
    }

    private func find(_ digest: [UInt8], in organization: OrganizationID) async throws -> StoredMessage? {
        try await database.read { db in
            try MessageRow.find(digest: digest, organization: OrganizationRow.require(organization, db).number, db)
        }
    }

    private static func save(
        _ message: Message,
        _ content: [UInt8],
        _ digest: [UInt8],
        in organization: OrganizationID,
        at now: Timestamp,
        _ writing: Writing
    ) throws -> SavedMessage {
        let db = writing.db
        let number = try OrganizationRow.require(organization, db).number
        if let found = try MessageRow.find(digest: digest, organization: number, db) {
            return SavedMessage(message: found, isNew: false)
        }
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

    package func message(_ id: MessageID) async throws -> StoredMessage? {
        try await database.read { db in try MessageRow.find(id, db) }
    }

    package func addLinks(
        _ links: [MailLink],
        to id: MessageID,
        in organization: OrganizationID
    ) async throws -> [MessageLink]? {
        // The content never changes, and can be long: it is read beside the writer.
        let content = try await database.read { db in try MessageRow.content(of: id, in: organization, db) }
        guard let content else { return nil }
        let own = content.links.trackedByTarget
        return try await database.write { writing in
            let db = writing.db
            var count = try AddedLinkRow.count(of: id, db)
            return try links.map { wanted in
                if let known = try own[wanted.target] ?? AddedLinkRow.find(wanted.target, of: id, db) { return known }
                let link = wanted.added(at: try content.linkIndex(afterAdding: count))
                try AddedLinkRow.insert(link, of: id, db)
                count += 1
                return link
            }
        }
    }

    package func setDisabled(
        _ isDisabled: Bool,
        message id: MessageID,
        in organization: OrganizationID
    ) async throws -> StoredMessage? {
        try await database.write { writing in
            guard let found = try MessageRow.find(id, writing.db), found.organization == organization else {
                return nil
            }
            try writing.db.statement("UPDATE messages SET is_disabled = ? WHERE id = ?").run(isDisabled, id)
            var changed = found
            changed.isDisabled = isDisabled
            return changed
        }
    }

    package func latestExpiry() async throws -> Timestamp? {
        try await database.read { db in
            try db.statement("SELECT max(expires_at) FROM messages WHERE expires_at IS NOT NULL")
                .first { $0.optionalTimestamp(0) } ?? nil
        }
    }
}

private struct SavedMessage: Sendable {
    let message: StoredMessage
    let isNew: Bool
}
