import Logging
import Organizations
import Redirect
import ServiceLifecycle

/// Looks at the disk every second: finds out when one that was full has room again, which nothing else would behind a
/// load balancer that asks `/readyz`, and stops storing clicks before consent has no room. Tells when a server may lose
/// what it acknowledges, too, and finds out when the data folder is not the one any more that is open.
struct DiskWatchService: Service {
    private static let interval = Duration.seconds(1)

    let storage: any StorageMaintenance
    /// Of the storage and of the spool.
    let statuses: @Sendable () -> [StorageStatus]
    let writer: SpoolWriter
    let floor: DiskFloor
    let folder: FolderWatch
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var wasBelow = false
            var wasFull = false
            var wasUnsafe = false
            repeat {
                folder.look()
                let isBelow = floor.isReached
                writer.setBelowFloor(isBelow)
                if isBelow != wasBelow { tell(isBelow) }
                wasBelow = isBelow
                let isFull = statuses().contains(.full)
                if isFull, !wasFull { logger.error("the disk is full: nothing is recorded until there is room") }
                if wasFull, !isFull { logger.notice("the disk has room again: everything is recorded again") }
                wasFull = isFull
                let danger = statuses().compactMap(\.danger).first
                if let danger, !wasUnsafe {
                    logger.critical("a crash may lose what is acknowledged", metadata: ["because": "\(danger)"])
                }
                if wasUnsafe, danger == nil { logger.notice("what is acknowledged is safe again") }
                wasUnsafe = danger != nil
                await storage.retryIfFull()
                await writer.retryIfFailing()
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    private func tell(_ isBelow: Bool) {
        if isBelow {
            logger.error("the disk is nearly full: clicks are not stored", metadata: ["setting": "disk-floor"])
        } else {
            logger.notice("the disk has room again: clicks are stored")
        }
    }
}
