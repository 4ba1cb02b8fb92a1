import Consent
import Cryptography
import Dispatch
import HTTPTypes
import Identifiers
import Interactions
import Logging
import Messages
import NIOPosix
import Redirect
import SQLStorage
import SQLiteStorage
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import HTTPAPI

/// Everything that the public listener answers besides links, with a spool in memory.
struct PublicServiceFixture {
    let listener: PublicListenerFixture
    let spool = SpoolInMemory()
    let time = SettableTime()
    let health = SettableHealth()
    let log = LogLines()
    let writer: SpoolWriter
    let redirect: RedirectService
    /// Signs when a test says so, and not by itself.
    let signer: CheckpointSigner
    let requesting: ConsentRequesting
    let responder: Responder

    static func with(_ body: (PublicServiceFixture) async throws -> Void) async throws {
        let listener = try await PublicListenerFixture()
        defer { listener.end() }
        try await body(try await PublicServiceFixture(listener, []))
    }

    /// The same after a restart, with an empty spool.
    ///
    /// - Parameter known: what devices reported before.
    func restarted(knowing known: [Occurrence]) async throws -> PublicServiceFixture {
        try await PublicServiceFixture(listener, known)
    }

    private init(_ listener: PublicListenerFixture, _ known: [Occurrence]) async throws {
        self.listener = listener
        writer = SpoolWriter(spool: spool, onCommit: { _ in }, report: { _ in })
        let now: @Sendable () -> Timestamp = { [time] in time.now }
        redirect = try await RedirectService(
            group: MultiThreadedEventLoopGroup.singleton,
            RedirectResources(
                directory: listener.directory, keys: listener.keys, writer: writer, clock: now, report: { _ in }))
        let storage = listener.storage
        signer = CheckpointSigner(
            store: storage.stores.ledgers, seed: SecretBytes([UInt8](repeating: 3, count: 32)),
            archive: CheckpointsInMemory(),
            logger: Logger(label: "test"))
        let receipts = ConsentReceipts(
            consent: storage.stores.consents, organizations: storage.stores.organizations,
            ledgers: storage.stores.ledgers, signer: signer,
            timeout: .seconds(2), pause: .milliseconds(10))
        let recording = ConsentRecording(storage.stores.consents) {}
        requesting = ConsentRequesting(
            store: storage.stores.consentRequests, recording: recording, keys: listener.keys,
            publicOrigin: try PublicOrigin("https://links.example"), minimumPauseInDays: 0)
        let api = PublicAPI(
            Stores(
                organizations: storage.stores.organizations, messages: storage.stores.messages,
                consent: storage.stores.consents,
                consentRequests: storage.stores.consentRequests, accesses: storage.stores.accesses,
                decisions: storage.stores.decisions,
                interactions: storage.stores.interactions, reports: storage.stores.reports,
                ledgers: storage.stores.ledgers, endpoints: storage.stores.endpoints),
            recording: recording, receipts: receipts, requesting: requesting, keys: listener.keys, redirect: redirect,
            directory: listener.directory, writer: writer, now: now)
        responder = try api.responder(
            knownReports: known, health: Health { [health] _ in health.impediments },
            times: RequestTimes(), logger: log.logger,
            wallClock: now)
    }

    /// A message with a button `buy` and a mail whose opening is told, and the reference of a recipient who consented.
    func sent(openTracking: Bool = true) async throws -> (message: StoredMessage, reference: RecipientReference) {
        var content = Message(name: "spring")
        content.html = "<p>Hello</p>"
        content.openTracking = openTracking
        content.actions = [Message.Action(id: "buy", title: "Buy", link: nil)]
        let message = try await listener.storage.stores.messages.save(
            content, in: listener.organization, at: .noon, fingerprint: nil
        ).message
        let ana = try RecipientID("ana@example.com")
        try await listener.record(.given, for: ana)
        return (message, try await listener.reference(of: ana, message))
    }

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", headers: HTTPFields = [:]
    ) async -> ConnectionAnswer {
        let (sent, error) = await ConnectionAnswer.of(method, path, body: body, headers: headers, by: responder)
        #expect(error == nil && sent.hasEnded, "\(method) \(path)")
        return sent
    }

    /// How many reports of devices ended so, as the metrics page shows it.
    func reports(_ outcome: String) -> String? {
        PrometheusLines(redirect.reportMetrics)["consentlink_device_reports_total{outcome=\"\(outcome)\"}"]
    }
}

/// A spool whose disk a test breaks or holds.
final class SpoolInMemory: ClickSpool {
    private struct Broken: Error {}

    private let state = Mutex((isBroken: false, appends: 0, occurrences: [Occurrence]()))
    private let disk = DispatchSemaphore(value: 1)

    var occurrences: [Occurrence] { state.withLock { $0.occurrences } }
    /// How often something was given to the disk, whatever became of it.
    var appends: Int { state.withLock { $0.appends } }

    /// Until it is released, the disk takes nothing and refuses nothing.
    func hold() { disk.wait() }
    func release() { disk.signal() }

    func setBroken(_ isBroken: Bool) { state.withLock { $0.isBroken = isBroken } }

    func append(_ occurrences: [Occurrence]) throws -> SpoolPosition {
        state.withLock { $0.appends += 1 }
        disk.wait()
        defer { disk.signal() }
        return try state.withLock { state in
            if state.isBroken { throw Broken() }
            state.occurrences += occurrences
            return SpoolPosition(rawValue: Int64(state.occurrences.count))
        }
    }

    func read(after position: SpoolPosition, limit _: Int) throws -> SpoolReading {
        SpoolReading(occurrences: [], position: position)
    }
    func park(_: [SpooledOccurrence], at _: SpoolPosition) throws {}
    func parked(after _: SpoolPosition) throws -> SpoolReading? { nil }
    func remove(through _: SpoolPosition) throws {}
    func eraseResiduals() throws {}
    func probe() throws {}
}
