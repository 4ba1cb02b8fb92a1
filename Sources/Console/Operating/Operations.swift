package import Identifiers
package import Organizations
package import StoragePorts
package import UseCases

/// What the pages of operators and managers use besides the stores.
package struct Operations: Sendable {
    /// A backup in the folder for backups.
    package struct KeptBackup: Sendable {
        let name: String
        let startedAt: Timestamp
        /// The size of all its files, in bytes.
        let bytes: Int64

        package init(name: String, startedAt: Timestamp, bytes: Int64) {
            self.name = name
            self.startedAt = startedAt
            self.bytes = bytes
        }
    }

    let settings: ProcessingSettings
    let state: @Sendable () -> ServiceState
    let creator: OrganizationCreator
    let rotation: KeyRotation
    let backups: any BackupMaking
    /// Returns the backups, newest first; `nil` if their folder cannot be read.
    let keptBackups: @Sendable () -> [KeptBackup]?
    let retention: any RetentionStore
    let retentionActivity: @Sendable () -> RetentionActivity
    /// Whether this node does a job now.
    let isHeld: @Sendable (Job) -> Bool
    /// `nil` for the storage of one process.
    let nodes: (any NodeRegistry)?

    package init(
        settings: ProcessingSettings, state: @escaping @Sendable () -> ServiceState, creator: OrganizationCreator,
        rotation: KeyRotation, backups: any BackupMaking, keptBackups: @escaping @Sendable () -> [KeptBackup]?,
        retention: any RetentionStore, retentionActivity: @escaping @Sendable () -> RetentionActivity,
        isHeld: @escaping @Sendable (Job) -> Bool, nodes: (any NodeRegistry)?
    ) {
        self.settings = settings
        self.state = state
        self.creator = creator
        self.rotation = rotation
        self.backups = backups
        self.keptBackups = keptBackups
        self.retention = retention
        self.retentionActivity = retentionActivity
        self.isHeld = isHeld
        self.nodes = nodes
    }
}
