import Logging
import NIOCore
import Redirect
import SQLiteStorage

/// The way of a click: redirect, spool, drain.
struct RecordingParts {
    let redirect: RedirectService
    let directory: LinkDirectory
    let writer: SpoolWriter
    let drain: Drain
    let retentionLag: RetentionLag

    init(
        _ stored: StorageParts, limit: ConnectionLimit, group: any EventLoopGroup, logger: Logger
    ) async throws {
        let storage = stored.storage
        let report: @Sendable (RedirectFault) -> Void = { $0.log(to: logger) }
        directory = LinkDirectory(store: storage.messages, table: stored.links)
        let commits = WakeUpSignal()
        writer = SpoolWriter(spool: storage.spool, onCommit: { _ in commits.raise() }, report: report)
        writer.counters.begin(with: storage.spool.leftover)
        drain = Drain(
            spool: storage.spool, writer: writer, commits: commits, directory: directory,
            organizations: storage.organizations, consent: storage.consents, interactions: storage.interactions,
            now: stored.now, report: report)
        redirect = try await RedirectService(
            group: group, directory: directory, keys: stored.keys, writer: writer, limit: limit, clock: stored.now,
            report: report)
        retentionLag = RetentionLag(now: stored.now)
    }
}
