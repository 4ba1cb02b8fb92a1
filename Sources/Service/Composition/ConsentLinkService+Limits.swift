import LocalFiles
import Logging

extension ConsentLinkService {
    /// Raises the limits of the process as far as the system allows, and checks that they are high enough. Must be called
    /// before the data folder is touched: a start that fails for lack of them later may leave half of a new folder.
    /// - Throws: ``TooFewThreads`` or ``TooFewDescriptors``.
    package static func requireLimits(_ settings: ServiceSettings) throws {
        try ThreadNeed(eventLoops: settings.threads).require()
        _ = try DescriptorShares(limit: FileDescriptors.raise())
        if let size = FileSizes.raise() {
            ProcessLog.logger(settings.logLevel).warning(
                """
                the size of files is limited: the storage fails when a database has that size; remove the limit \
                (LimitFSIZE=, ulimit -f)
                """, metadata: ["bytes": "\(size)"])
        }
    }
}
