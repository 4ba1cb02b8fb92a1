import SQL
import StoragePorts

/// A database that cannot be read because its server cannot be used: every operation fails.
struct UnavailableDatabase: SQLDatabase {
    let failure: any StoreFailure

    var hasSeveralWriters: Bool { true }

    var commits: GroupCommit { get throws { throw failure } }

    func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value { throw failure }

    func eraseResiduals() async throws { throw failure }
}

/// The feed of rules of a database whose server cannot be used: every operation fails.
struct UnavailableRules: RuleSource {
    let failure: any StoreFailure

    func page(after cursor: RuleCursor) async throws -> RulePage { throw failure }

    func rules() async throws -> StoredRules { throw failure }
}
