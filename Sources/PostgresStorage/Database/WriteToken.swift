import Cryptography
import Identifiers
import SQL

/// A random value that a transaction leaves in the database, by which it is found again.
enum WriteToken {
    private static let length = 16

    static func make(_ random: inout SecureRandom) -> [UInt8] { random.bytes(length) }

    /// Enters a token in a transaction that must be committed. Without waiting for an answer, it makes the transaction
    /// fail in a database that does not have the folder's note, or that of its move, any more, or that has not come as
    /// far as it must: the token is NULL there, which is refused. A note that the database was moved does not make it
    /// fail: until the service ends, it answers from the old database.
    static func enter(
        _ token: [UInt8], of tenant: DatabaseTenant, since least: KnownGeneration.Least, _ db: any SQLConnection
    ) throws {
        try db.statement(
            """
            INSERT INTO write_tokens (token)
            VALUES ((
                SELECT ? FROM folder
                WHERE (id IN (?, ?) OR starts_with(id, '\(MigratedDatabase.beginning)'))
                    AND \(KnownGeneration.Least.condition)
                LIMIT 1
            ))
            """
        ).run(
            token, tenant.folder.description, tenant.notes.last ?? "", least.generation, least.node, least.beats)
    }
}
