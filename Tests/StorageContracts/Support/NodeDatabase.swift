package import Identifiers
package import SQL
package import SQLStorage

/// A database as a node sees it that shares it with others.
package struct NodeDatabase: SQLDatabase {
    private let database: any SQLDatabase
    /// What a server shows that was replaced and does not know it yet.
    private let replaced: (any SQLDatabase)?
    package let slot: NodeSlot
    package let hasSeveralWriters: Bool

    package init(
        _ database: any SQLDatabase, replaced: (any SQLDatabase)? = nil, slot: NodeSlot = .single,
        hasSeveralWriters: Bool = false
    ) {
        self.database = database
        self.replaced = replaced
        self.slot = slot
        self.hasSeveralWriters = hasSeveralWriters
    }

    package var commits: GroupCommit { get throws { try database.commits } }

    package func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await (replaced ?? database).read(length, body) }

    package func readCurrent<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { try await database.readCurrent(length, body) }

    package func eraseResiduals() async throws { try await database.eraseResiduals() }
}
