import Cryptography
import Identifiers
import Logging
import PostgresStorage
import SQLStorage
import StoragePorts

/// The parameters for opening a storage.
struct StorageOpening: Sendable {
    let choice: StorageChoice
    let id: FolderID
    /// The folder's present move, if the database is a side of it.
    var move: DatabaseMove?
    /// The identity of this node in a storage on a server; `nil` for the embedded storage.
    let node: NodeIdentity?
    /// The key of all nodes' secrets; `nil` if the folder has none yet.
    var clusterKey: @Sendable () throws -> SecretBytes? = { nil }
    /// Whether nothing was ever stored for the folder.
    let isNew: Bool
    let erasureKey: SecretBytes
    let ledgerHost: String
    /// Gets every change of the rules.
    let observer: any RuleObserver
    /// Returns the time of everything that is stored; must not go back behind ``FolderDatabases/latestTime()``.
    let clock: @Sendable () -> Timestamp
    /// Returns the earliest present time that may be right, for the ids of clicks; `nil` for that of `clock`.
    var earliest: (@Sendable () -> Timestamp)?
    /// Gets the times that a storage on a server tells.
    let noteTime: @Sendable (ToldTime) -> Void
    /// Whether the clock shows the time of the storage, and not that of this machine.
    var isTimed: @Sendable () -> Bool = { true }
    /// Gets the number that tells a database on a server from its copies.
    var noteDatabase: @Sendable (String) -> Void = { _ in }
    /// What the folder knows of the demand for seals of ledgers in a storage on a server.
    var seals = SealMemory.none
    let logger: Logger
    /// Whether the main database is moved to another storage.
    var isReadOnly = false
    /// How long to wait for a server that cannot be reached; it may be starting.
    var timeout = ServerPatience.standard
    /// Whether the server answered just before: then the start waits longer for it.
    var isExpected = false
    /// What the node knows without its server; `nil` if it cannot start without the server.
    var mirror: (any NodeMirror)?
}
