import Identifiers
import PostgresClient
import SQL
import Synchronization

/// How far this process knows the database to have come.
///
/// A database that has not come as far was put back to an earlier state: it may lack a withdrawal that was
/// acknowledged. Each write transaction of the stores compares itself with this, and none is committed before the node
/// has checked the database, because the node's poll may be later than a write. The vault, and the node's own row, are
/// written without it: they say nothing about people.
final class KnownGeneration: Sendable {
    /// What a database must have at least.
    struct Least: Hashable, Sendable {
        /// Holds for every database.
        static let any = Least(generation: -1, node: "", beats: -1)

        /// How many transactions have held the row of the writer.
        var generation: Int64
        /// The id in the data folder of this node; empty for a process that is not a node.
        var node: String
        /// How often the row of this node was written.
        var beats: Int64

        /// Holds for a database that has come as far. Its values are ``generation``, ``node`` and ``beats``.
        static let condition = """
            coalesce((SELECT generation FROM writer), -2) >= ?
            AND coalesce((SELECT beats FROM nodes WHERE id = ?), -1) >= ?
            """
    }

    private struct State {
        var least: Least
        var isHeld = false
    }

    private let state: Mutex<State>

    /// - Parameter node: this node; `nil` for a process that is not a node.
    init(of node: FolderID?) {
        state = Mutex(State(least: Least(generation: 0, node: node?.description ?? "", beats: -1)))
    }

    /// The generation that the database must have. A caller that compares it with the database asks for it first.
    var generation: Int64 { state.withLock { $0.least.generation } }

    /// - Throws: `StorageError.putBack` while the node has not looked at an earlier state that it has found.
    func least() throws -> Least {
        try state.withLock { state in
            guard !state.isHeld else { throw StorageError.putBack }
            return state.least
        }
    }

    /// Notes what a transaction has found or made. It must be as durable as the settings require.
    /// - Parameter beats: less than 0 for a process that is not a node.
    func note(generation: Int64, beats: Int64 = -1) {
        state.withLock { state in
            guard !state.isHeld else { return }
            state.least.generation = max(state.least.generation, generation)
            state.least.beats = max(state.least.beats, beats)
        }
    }

    /// Refuses every write from now on, because the database has an earlier state.
    func hold() { state.withLock { $0.isHeld = true } }

    /// Undoes ``hold()``: a server that was replaced has shown that state.
    func release() { state.withLock { $0.isHeld = false } }

    /// Goes on with an earlier state at which the node has looked.
    func begin(generation: Int64, beats: Int64) {
        state.withLock { state in
            (state.least.generation, state.least.beats) = (generation, beats)
            state.isHeld = false
        }
    }

    /// Looks at the database after a statement has failed. Must be called outside of a transaction.
    /// - Throws: `StorageError.putBack` if the database has an earlier state.
    func require(_ connection: PostgresConnection, after error: any Error) throws {
        guard connection.isUsable, let failure = error as? PostgresError, !failure.isRetryable else { return }
        let least = try least()
        // What has failed before says more than a failure of this.
        let isThere = try? connection.statement("SELECT \(Least.condition)")
            .first(least.generation, least.node, least.beats) { $0.bool(0) }
        if isThere == false { throw StorageError.putBack }
    }
}
