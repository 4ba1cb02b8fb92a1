package import Identifiers
import Organizations
package import UseCases

/// How the service is now, as far as this process knows without asking a database.
package struct ServiceState: Sendable {
    /// The room on the disk of a folder, in bytes.
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

    /// How a node stands to the others.
    package struct Sharing: Sendable {
        /// How old what it knows of withdrawals may be; `nil` before it knew anything.
        let staleness: Duration?
        let isFresh: Bool

        package init(staleness: Duration?, isFresh: Bool) {
            self.staleness = staleness
            self.isFresh = isFresh
        }
    }

    let sample: ActivitySample
    let losses: LossWatch
    let history: DayHistory
    /// Why links, and why everything else, are not ready; empty while they are.
    let links: [ReadinessReason]
    let api: [ReadinessReason]
    let unjudged: UInt64
    let disks: [Disk]
    /// `nil` for the storage of one process.
    let sharing: Sharing?
    let lastBackup: Timestamp?
    let closedLedgers: [OrganizationID]

    package init(
        sample: ActivitySample, losses: LossWatch, history: DayHistory, links: [ReadinessReason],
        api: [ReadinessReason], unjudged: UInt64, disks: [Disk], sharing: Sharing?, lastBackup: Timestamp?,
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
