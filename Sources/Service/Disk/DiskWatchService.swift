import Logging
import Redirect
import ServiceLifecycle
import StoragePorts

/// Checks the disk every second. It notices when a full disk has space again, which no other part would notice behind a
/// load balancer that uses `/readyz`; it stops the recording of clicks before consent has no space; it warns if a
/// server may lose acknowledged data, or must be repaired; and it notices if the path no longer leads to the open data
/// folder.
struct DiskWatchService: Service {
    private static let interval = Duration.seconds(1)

    let storage: any StorageMaintenance
    /// The statuses of the storage and of the spool.
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
            var lastFault: String?
            repeat {
                folder.check()
                let isBelow = floor.isReached
                writer.setBelowFloor(isBelow)
                if isBelow != wasBelow { log(isBelow) }
                wasBelow = isBelow
                let isFull = statuses().contains(.full)
                if isFull, !wasFull { logger.error("the disk is full: nothing is recorded until there is room") }
                if wasFull, !isFull { logger.notice("the disk has room again: everything is recorded again") }
                wasFull = isFull
                let risk = statuses().compactMap(\.risk).first
                if let risk, !wasUnsafe {
                    logger.critical("a crash may lose acknowledged writes", metadata: ["because": "\(risk)"])
                }
                if wasUnsafe, risk == nil { logger.notice("acknowledged writes are safe again") }
                wasUnsafe = risk != nil
                lastFault = noted(statuses(), after: lastFault)
                await storage.retryIfFull()
                await writer.retryIfFailing()
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    /// Logs a fault once, until everything takes writes again.
    /// - Returns: the fault that there is.
    private func noted(_ statuses: [StorageStatus], after last: String?) -> String? {
        if let fault = statuses.compactMap(\.fault).first {
            if fault != last {
                logger.critical("nothing is stored until the database is repaired", metadata: ["because": "\(fault)"])
            }
            return fault
        }
        guard last != nil, statuses.allSatisfy(\.takesWrites) else { return last }
        logger.notice("the database is repaired, and everything is stored again")
        return nil
    }

    private func log(_ isBelow: Bool) {
        if isBelow {
            logger.error("the disk is nearly full: clicks are not stored", metadata: ["setting": "disk-floor"])
        } else {
            logger.notice("the disk has room again: clicks are stored")
        }
    }
}
