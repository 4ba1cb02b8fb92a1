import Foundation
import Identifiers
import Logging
import ServiceLifecycle
import StoragePorts

/// Writes the noted changes to the node's mirror, and copies the messages into it that it lacks.
struct MirrorService: Service {
    private static let interval = Duration.milliseconds(200)
    /// The pause after a failure of the disk or the storage.
    private static let pause = Duration.seconds(5)

    let mirror: any NodeMirror
    let feed: any RuleFeed
    let shared: any SharedStorage
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var hasFailed = false
            var isChecked = false
            var isDamageLogged = false
            while !Task.isCancelled {
                do {
                    // Once, because clicks read only some pages, and would not find damage in the others.
                    if !isChecked { try await mirror.check() }
                    isChecked = true
                    try await step(&isDamageLogged)
                    hasFailed = false
                } catch is CancellationError {
                    return
                } catch {
                    if !hasFailed {
                        logger.warning("the mirror cannot be kept up to date now", metadata: ["error": "\(error)"])
                    }
                    hasFailed = true
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
        try? await mirror.flush(at: now())
    }

    private func step(_ isDamageLogged: inout Bool) async throws {
        try await repair(&isDamageLogged)
        mirror.store(peers: shared.peers)
        try await mirror.flush(at: now())
        guard !mirror.isDamaged, !mirror.isComplete, !mirror.needsRules else {
            return try await Task.sleep(for: Self.interval)
        }
        let clock = ContinuousClock()
        let took = try await clock.measure { try await mirror.copyMessages(from: feed) }
        if mirror.isComplete {
            logger.info("the mirror has all messages: links redirect without the database too")
        } else {
            // Half of the time is left to other work.
            try await Task.sleep(for: took)
        }
    }

    /// Makes a damaged file anew once the storage answers. Until then the file stays as it is: what is intact of it may
    /// be all that the node has, and nothing could fill an empty one.
    /// - Parameter isTold: whether the log says that the file is damaged.
    /// - Throws: what the feed throws if the storage has just gone, or an error of the disk.
    func repair(_ isTold: inout Bool) async throws {
        guard mirror.isDamaged else {
            isTold = false
            return
        }
        guard shared.isFresh else {
            if !isTold {
                logger.error("mirror.db is damaged; its intact part is used until the database can be asked again")
            }
            isTold = true
            return
        }
        // A node is fresh for up to a second after its storage has gone.
        _ = try await feed.messages(after: nil, limit: 1)
        try await mirror.repair()
        guard !mirror.isDamaged else { return }
        isTold = false
        logger.warning("mirror.db is damaged and is made anew; until it has all messages, links need the database")
    }
}
