/// The names of what a data folder holds besides its databases (``FolderDatabases``).
package enum FolderFile {
    static let manifest = "manifest.json"
    static let keyRing = "keyring.json"
    static let erasureKey = "erasure.key"
    static let ledgerKey = "ledger.key"
    package static let operatorKey = "operator.key"
    /// What opens the secrets that all nodes share.
    static let clusterKey = "cluster.key"
    /// Which node of a shared storage the folder is, once one knows it.
    static let node = "node.json"
    /// Of which ledgers everything was signed.
    static let signed = "signed.json"
    static let lock = "lock"
    /// Held while a storage is moved.
    static let moveLock = "migrate.lock"
    /// The folder of the last checkpoint of each ledger, kept apart from the databases that it vouches for.
    static let checkpoints = "checkpoints"

    /// Files of 32 random bytes.
    static let rawSecrets = [erasureKey, ledgerKey]
    /// The files of the keys that every folder has.
    static let keys = [keyRing, erasureKey, ledgerKey, operatorKey]
    /// The files that belong together with the databases.
    static let secrets = [manifest] + keys
}
