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
            while !Task.isCancelled {
                do {
                    // A page that no click reads may be damaged.
                    if !isChecked { try await mirror.check() }
                    isChecked = true
                    try await step()
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

    private func step() async throws {
        try await repair()
        mirror.note(peers: shared.peers)
        try await mirror.flush(at: now())
        guard !mirror.isDamaged, !mirror.isWhole, !mirror.needsRules else {
            return try await Task.sleep(for: Self.interval)
        }
        let clock = ContinuousClock()
        let took = try await clock.measure { try await mirror.copyMessages(from: feed) }
        if mirror.isWhole {
            logger.info("the mirror has all messages: links redirect without the database too")
        } else {
            // Half of the time is left to other work.
            try await Task.sleep(for: took)
        }
    }

    private func repair() async throws {
        guard mirror.isDamaged else { return }
        try await mirror.repair()
        guard !mirror.isDamaged else { return }
        logger.warning("mirror.db is damaged and is made anew; until it has all messages, links need the database")
    }
}
