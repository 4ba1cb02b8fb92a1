import HTTPAPI
import HTTPConnections
import Logging
import NIOCore
import Redirect
import StoragePorts
import UseCases

/// The path of a click: redirect, spool, drain.
struct RecordingParts {
    let redirect: RedirectService
    let directory: LinkDirectory
    let writer: SpoolWriter
    let drain: Drain
    let retentionLag: RetentionLag
    let retentionRuns = RetentionRuns()
    let jobs = JobMetrics()

    init(
        settings: ServiceSettings, stored: StorageParts, limit: ConnectionLimit, times: RequestTimes,
        group: any EventLoopGroup, logger: Logger
    ) async throws {
        let stores = stored.stores
        let report: @Sendable (RedirectFault) -> Void = { $0.log(to: logger) }
        directory = LinkDirectory(
            store: stores.messages, table: stored.memory.links, mirror: stored.memory.mirror,
            peers: stored.peers.map { seal in
                NodePeers(seal, addresses: { [shared = stored.shared] in shared?.peers ?? [] })
            },
            isStoreAway: { [shared = stored.shared] in !(shared?.isFresh ?? true) })
        let commits = WakeUpSignal()
        writer = SpoolWriter(
            spool: stored.spool, isStale: Self.refusesClicks(settings, stored.shared),
            onCommit: { _ in commits.raise() }, report: report)
        writer.counters.begin(with: stored.leftInSpool.waiting, parked: stored.leftInSpool.parked)
        let reports = ReportDeduplicator()
        drain = Drain(
            spool: stored.spool, writer: writer, commits: commits,
            judge: DrainJudge(
                directory: directory, organizations: stores.organizations, consent: stores.consent,
                interactions: stores.interactions, times: stored.occurrenceTimes, now: stored.now,
                trustedTime: { [trust = stored.clockTrust] in trust.earliest }),
            forgetReports: reports.forget, report: report)
        redirect = try await RedirectService(
            group: group,
            RedirectResources(
                directory: directory, keys: stored.keys, writer: writer, limit: limit, clock: stored.now,
                report: report),
            reportDeduplicator: reports, times: AnsweredTimes(times))
        retentionLag = RetentionLag(now: stored.now)
    }

    /// Whether no click is stored now, on a node with that setting; `nil` for other nodes.
    private static func refusesClicks(
        _ settings: ServiceSettings, _ shared: (any SharedStorage)?
    ) -> (@Sendable () -> Bool)? {
        guard settings.staleClicks == .skip, let shared else { return nil }
        return { !shared.isFresh }
    }
}
