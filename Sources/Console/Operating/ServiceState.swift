package import Identifiers
package import UseCases

/// The present state of the service, as far as this process knows it without asking a database.
package struct ServiceState: Sendable {
    /// The space on the disk of a folder, in bytes.
    package struct Disk: Sendable {
        package enum Folder: String, Sendable {
            case data
            case backups
        }

        let folder: Folder
        let free: UInt64
        let total: UInt64

        package init(_ folder: Folder, free: UInt64, total: UInt64) {
            self.folder = folder
            self.free = free
            self.total = total
        }
    }

    /// The state of a node among the others.
    package struct Sharing: Sendable {
        /// The greatest possible age of its knowledge of withdrawals; `nil` before it knew any.
        let staleness: Duration?
        let isFresh: Bool

        package init(staleness: Duration?, isFresh: Bool) {
            self.staleness = staleness
            self.isFresh = isFresh
        }
    }

    /// What the folder for backups has.
    package enum LastBackup: Sendable {
        /// The newest backup, and when it was begun.
        case begun(Timestamp)
        case absent
        /// The folder cannot be read.
        case unreadable
    }

    let sample: ActivitySample
    let losses: LossWatch
    let history: DayHistory
    /// Why links are not ready, and why everything else is not; empty while they are.
    let links: [ReadinessReason]
    let api: [ReadinessReason]
    let unjudged: UInt64
    let disks: [Disk]
    /// `nil` for the storage of one process.
    let sharing: Sharing?
    let lastBackup: LastBackup
    let closedLedgers: [OrganizationID]

    package init(
        sample: ActivitySample, losses: LossWatch, history: DayHistory, links: [ReadinessReason],
        api: [ReadinessReason], unjudged: UInt64, disks: [Disk], sharing: Sharing?, lastBackup: LastBackup,
        closedLedgers: [OrganizationID]
    ) {
        self.sample = sample
        self.losses = losses
        self.history = history
        self.links = links
        self.api = api
        self.unjudged = unjudged
        self.disks = disks
        self.sharing = sharing
        self.lastBackup = lastBackup
        self.closedLedgers = closedLedgers
    }
}
