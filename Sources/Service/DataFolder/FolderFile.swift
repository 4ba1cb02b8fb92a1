import SQLiteFiles

/// The names of the files in a data folder besides its databases (``FolderDatabases``).
package enum FolderFile {
    static let manifest = "manifest.json"
    static let keyRing = "keyring.json"
    /// The marks of the signing keys that the service last wrote.
    static let keyFingerprints = "key-fingerprints.json"
    static let erasureKey = "erasure.key"
    static let ledgerKey = "ledger.key"
    package static let operatorKey = "operator.key"
    /// The key of the secrets that all nodes share.
    static let clusterKey = "cluster.key"
    /// The node of a shared storage that the folder belongs to, once it is known.
    static let node = "node.json"
    /// The ledgers that were signed completely.
    static let signed = "signed.json"
    /// The ledgers that an operator has sealed, one line each.
    static let sealed = "sealed.ndjson"
    static let lock = "lock"
    /// Held while a storage is moved.
    static let migrationLock = "migrate.lock"
    /// The folder of the last checkpoint of each ledger, separate from the databases that it is used to check.
    static let checkpoints = "checkpoints"

    /// Files of 32 random bytes.
    static let rawSecrets = [erasureKey, ledgerKey]
    /// The files of the keys that every folder has.
    static let keys = [keyRing, erasureKey, ledgerKey, operatorKey]
    /// The files that belong to the databases.
    static let secrets = [manifest] + keys
    /// The files that the service writes into. All others it only reads, or replaces.
    static let writtenInPlace = Set(
        [lock, CheckpointList.place]
            + (FolderDatabases.names + [FolderDatabases.mirrorName]).flatMap { name in
                [name, DatabasePaths.journal(of: name)] + DatabasePaths.logFiles(of: name)
            })
}
