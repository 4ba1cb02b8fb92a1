import Logging
import ServiceLifecycle
import StoragePorts
import UseCases

/// Follows the changes of other nodes in a shared storage, and tells them that this node is running.
struct NodeService: Service {
    /// The pause while the storage cannot be asked.
    private static let pause = Duration.milliseconds(100)

    let shared: any SharedStorage
    /// Brings the memory of the redirect to the state of the storage.
    let catchUp: @Sendable () async throws -> Void
    /// How many clicks are in the spool, with those that are set aside.
    let spooled: @Sendable () -> Int
    /// Whether the service ends: three seconds later it closes the connections that requests still use, and this one's.
    let isEnding: @Sendable () -> Bool
    let logger: Logger

    /// - Throws: ``NodeReplacedError``: the process must end.
    func run() async throws {
        try await cancelWhenGracefulShutdown {
            var wasFresh = true
            var told: Set<String> = []
            while !Task.isCancelled {
                shared.set(spooled: spooled())
                do {
                    try await catchUp()
                    told = []
                    await shared.waitForChange()
                } catch {
                    if shared.wasReplaced { throw NodeReplacedError() }
                    log(error, &told)
                    try? await Task.sleep(for: Self.pause)
                }
                log(isFresh: shared.isFresh, &wasFresh)
            }
        }
        shared.set(spooled: spooled())
        await shared.leave()
    }

    /// - Parameter told: the failures that the log has since the node last had all changes.
    private func log(_ error: any Error, _ told: inout Set<String>) {
        guard !Task.isCancelled, !(isEnding() && ServerPatience.isOfEnd(error)) else { return }
        guard told.insert("\(error)").inserted else { return }
        logger.warning("the node cannot follow the database now", metadata: ["error": "\(error)"])
    }

    private func log(isFresh: Bool, _ wasFresh: inout Bool) {
        guard isFresh != wasFresh else { return }
        wasFresh = isFresh
        if isFresh {
            logger.notice("the node has all changes of the other nodes again")
        } else {
            logger.error(
                "the node cannot show that it knows every withdrawal: links redirect, and clicks are judged when they are stored"
            )
        }
    }

    /// Why backends must ask another node.
    static func reasonNotReady(_ shared: any SharedStorage) -> ReadinessReason? {
        shared.isFresh ? nil : .nodeStale
    }
}

/// Another process has taken this node's place, or the database does not have the node any more.
struct NodeReplacedError: Error, CustomStringConvertible {
    var description: String {
        """
        another process runs with this node's data folder or a copy of it, or the database no longer has the node, \
        because it was removed or because the database was put back to an earlier state; this process ends
        """
    }
}
