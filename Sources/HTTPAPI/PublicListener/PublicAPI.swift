import Hummingbird
package import Identifiers
package import Interactions
package import Logging
package import Redirect
package import TrackingIDs
package import UseCases

/// The routes of the public listener besides the redirect: device reports, pixels, the pages for people, health.
package struct PublicAPI {
    /// How long a repeated device report is recognised.
    package static let deduplicationWindow = ReportDeduplicator.window

    private let stores: Stores
    private let recording: ConsentRecording
    private let receipts: ConsentReceipts
    private let requesting: ConsentRequesting
    private let keys: CurrentKeyRing
    private let redirect: RedirectService
    private let directory: LinkDirectory
    private let writer: SpoolWriter
    private let now: @Sendable () -> Timestamp

    /// - Parameter now: the service time.
    package init(
        _ stores: Stores, recording: ConsentRecording, receipts: ConsentReceipts, requesting: ConsentRequesting,
        keys: CurrentKeyRing, redirect: RedirectService, directory: LinkDirectory, writer: SpoolWriter,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.stores = stores
        self.recording = recording
        self.receipts = receipts
        self.requesting = requesting
        self.keys = keys
        self.redirect = redirect
        self.directory = directory
        self.writer = writer
        self.now = now
    }

    /// Answers the requests that are not for links.
    ///
    /// - Parameter knownReports: what devices reported within ``deduplicationWindow`` before the start.
    package func responder(
        knownReports: [Occurrence], health: Health, times: RequestTimes, logger: Logger,
        wallClock: @escaping @Sendable () -> Timestamp
    ) throws -> Responder {
        let opener = try SharedTrackingIDOpener(keys: keys)
        let receiptTokens = try SharedReceiptTokens(keys: keys)
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: RequestTimesMiddleware(times: times))
        router.add(middleware: ProblemMiddleware(requestIDs: .logged))
        router.add(middleware: MissingPageMiddleware())
        redirect.reportDeduplicator.remember(knownReports)
        DeviceRoutes(
            intake: DeviceReportIntake(
                opener: opener, directory: directory, writer: writer, deduplicator: redirect.reportDeduplicator,
                now: now,
                counters: redirect.routedReports)
        ).add(to: router)
        OpenPixelRoutes(
            opener: opener, directory: directory, writer: writer, rate: redirect.rate, counters: redirect.opens,
            now: now
        ).add(to: router)
        WithdrawalRoutes(
            opener: opener, directory: directory, organizations: stores.organizations, consent: stores.consent,
            recording: recording, receipts: receiptTokens, now: now
        ).add(to: router)
        ReceiptRoutes(tokens: receiptTokens, receipts: receipts, now: now).add(to: router)
        PreferencesRoutes(senders: SenderDirectory(stores.organizations, now: now)).add(to: router)
        ConsentRequestPageRoutes(
            organizations: stores.organizations, store: stores.consentRequests, requesting: requesting,
            receipts: receiptTokens, now: now
        ).add(to: router)
        WellKnownRoutes.add(to: router)
        router.document("/healthz") { health.live() }
        router.document("/readyz") { request in try health.readyWithoutReasons(request) }
        times.expect(router.routes.map(\.path.description))
        return PageAddressResponder(base: router.buildResponder()).serving(logger, .logged, wallClock: wallClock)
    }
}
