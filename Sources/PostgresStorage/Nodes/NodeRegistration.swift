import Cryptography
import Identifiers
import PostgresClient
import SQL
import SQLStorage
import StoragePorts

/// A node that is entered in the database for a process that starts.
struct NodeRegistration {
    private static let timeout = NodeRow.timeout + .seconds(1)
    private static let pause = Duration.milliseconds(200)

    /// `nil` for a process that is not a node and has no row to write.
    let node: NodeIdentity?
    let slot: NodeSlot
    /// The id of the process; random.
    let instance: [UInt8]
    /// When the registration began.
    let madeAt: ContinuousClock.Instant

    /// Enters the node. Waits a while for an earlier process that has not told the database that it ended. Blocks the
    /// thread.
    /// - Parameters:
    ///   - node: `nil` for a process that is not a node and only checks.
    ///   - isRestored: as for ``NodeRow/register(_:isRestored:seen:instance:_:)``.
    ///   - seen: the same.
    ///   - willWait: is called with the time that it may wait for such a process.
    ///   - check: is called in the same transaction before anything is written.
    /// - Throws: a `StoreFailure`, among them ``NodeRefusal``.
    static func make(
        _ node: NodeIdentity?, isRestored: Bool, seen: RuleCursor? = nil, _ settings: PostgresSettings,
        noteTime: (ToldTime) -> Void, willWait: (Duration) -> Void,
        check: (any SQLConnection) throws -> Void
    ) throws -> NodeRegistration {
        var random = SecureRandom()
        let instance = random.bytes(16)
        let deadline = ContinuousClock.now + timeout
        var isWaiting = false
        do {
            let connection = try PostgresConnection.open(settings, timeout: PostgresConnection.shortTimeout)
            defer { connection.close() }
            // First, while the clock is still that of the clicks which an earlier process left.
            try ServerTime.askLatest(connection, tell: noteTime)
            for _ in 0..<3 { try ServerTime.ask(connection, tell: noteTime) }
            while true {
                let began = ContinuousClock.now
                do {
                    let slot = try connection.takingTurn {
                        try check(connection)
                        return try node.map { node in
                            try NodeRow.register(
                                node, isRestored: isRestored, seen: seen, instance: instance, connection)
                        } ?? .single
                    }
                    return NodeRegistration(node: node, slot: slot, instance: instance, madeAt: began)
                } catch let busy as NodeBusy {
                    if !isWaiting { willWait(timeout) }
                    isWaiting = true
                    guard let node, ContinuousClock.now > deadline else {
                        PostgresThread.sleepHere(for: pause)
                        continue
                    }
                    throw NodeRefusal.copied(busy.name ?? node.name)
                }
            }
        } catch let error as PostgresError {
            throw error.storageError
        }
    }
}
