import Hummingbird
import Identifiers
import Interactions
import Logging
import NIOCore
import NIOPosix
import Redirect
import SQLiteStorage
import ServiceLifecycle

/// The public listener: links, device reports, pixels and the withdrawal page.
struct PublicListenerParts {
    let listener: any Service
    /// Counts the reports of devices.
    let reports: DeviceReportTally

    init(
        _ sockets: SocketParts, _ stored: StorageParts, _ recording: RecordingParts, _ useCases: UseCaseParts,
        _ health: Health, _ times: RequestTimes, group: any EventLoopGroup, logger: Logger,
        onOpen: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let reports = DeviceReportTally()
        let redirect = recording.redirect
        let gate = try TrackingIDGate(keys: stored.keys)
        let intake = DeviceReportIntake(
            gate: gate, directory: recording.directory, writer: recording.writer,
            memory: ReportMemory(known: try await Self.recentReports(stored, recording)), now: stored.now,
            tally: reports)
        let opens = OpenPixelRoutes(
            gate: gate, directory: recording.directory, writer: recording.writer, rate: redirect.rate,
            tally: redirect.pictures, now: stored.now)
        let withdrawals = WithdrawalRoutes(
            gate: gate, directory: recording.directory, organizations: stored.storage.organizations,
            consent: useCases.consents, now: stored.now)
        let router = Router.publicListener(DeviceRoutes(intake: intake), opens, withdrawals, health, times)
        listener = Listener(
            address: sockets.links, inherited: sockets.inherited.links,
            connection: PublicChannel(redirect: redirect, responder: router.buildResponder().serving(logger)),
            limit: sockets.linkLimit, group: group, logger: logger, onOpen: onOpen, quiesce: redirect.quiesce)
        self.reports = reports
    }

    /// What devices reported in the last minute, so that a restart does not record a repeated report twice.
    private static func recentReports(
        _ stored: StorageParts, _ recording: RecordingParts
    ) async throws -> [Occurrence] {
        let lastMinute = stored.now().advanced(byMilliseconds: -ReportMemory.span)
        return try await stored.storage.interactions.reports(since: lastMinute)
            + recording.drain.undrainedReports(since: lastMinute)
    }
}
