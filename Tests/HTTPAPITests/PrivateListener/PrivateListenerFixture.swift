import Consent
import Counting
import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import JSON
import Ledger
import Logging
import Messages
import NIOCore
import NIOEmbedded
import Redirect
import SQLStorage
import SQLiteSpool
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import HTTPAPI

/// All routes of the private listener on a real storage, asked without a socket. It is noon until a test says otherwise.
struct PrivateListenerFixture {
    static let operatorKey = "clk_" + Base64URL.encode([UInt8](repeating: 9, count: 32))
    static let clusterKey = SecretBytes([UInt8](repeating: 5, count: 32))

    let storage: SQLiteStorage
    let backups = StubBackups()
    let checkpoints = CheckpointsInMemory()
    /// What the log says.
    let log = LogLines()
    let time = SettableTime()
    /// What the system's clock shows. It may be behind the service's time.
    let wallClock = SettableTime()
    let health = SettableHealth()
    let keys: CurrentKeyRing
    let ring: ForgetfulRingStore
    let watch: FeedWatch
    private let responder: RouterResponder<PrivateContext>
    private let logger: Logger

    /// Gives `body` a listener, and closes and removes everything behind it.
    /// - Parameter eraseSpooled: what an erasure does to the spool.
    static func with(
        bodies: BodyBudget = BodyBudget(), eraseSpooled: @escaping @Sendable () async throws -> Void = {},
        _ body: (PrivateListenerFixture) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            let fixture = try await PrivateListenerFixture(folder, bodies, eraseSpooled)
            let watching = Task { [watch = fixture.watch] in await watch.run() }
            defer { watching.cancel() }
            do { try await body(fixture) } catch {
                try? fixture.storage.close()
                throw error
            }
            try fixture.storage.close()
        }
    }

    private init(
        _ folder: TemporaryFolder, _ bodies: BodyBudget, _ eraseSpooled: @escaping @Sendable () async throws -> Void
    ) async throws {
        let erasureKey = SecretBytes([UInt8](repeating: 7, count: 32))
        let rules = RecordingRulesTable()
        let now: @Sendable () -> Timestamp = { [time] in time.now }
        let links = LinkTable(rules: rules)
        let follower = RuleFollower(consent: rules, messages: links)
        storage = try SQLiteStorage.open(
            folder: folder.path, erasureKey: erasureKey, ledgerHost: "links.example", observer: follower, clock: now)
        try await follower.catchUp(with: storage.stores.rules)
        let spool = try SQLiteClickSpool(folder: folder.path, slot: .single, drained: nil, clock: now)
        keys = CurrentKeyRing(
            try KeyRing(keys: [
                .init(id: 1, secret: SecretBytes([UInt8](repeating: 1, count: 32)), createdAt: .noon, signedUntil: nil)
            ]))
        ring = ForgetfulRingStore(keys)
        logger = log.logger
        let directory = LinkDirectory(store: storage.stores.messages, table: links)
        let commits = WakeUpSignal()
        let writer = SpoolWriter(spool: spool, onCommit: { _ in commits.raise() }, report: { _ in })
        let drain = Drain(
            spool: spool, writer: writer, commits: commits,
            judge: DrainJudge(
                directory: directory, organizations: storage.stores.organizations, consent: storage.stores.consents,
                interactions: storage.stores.interactions, now: now),
            report: { _ in })
        watch = FeedWatch(storage.stores.commitCounter, limit: 2)
        let secrets = try EndpointSecrets(erasureKey: erasureKey)
        let quotas = QuotaEnforcer(
            organizations: storage.stores.organizations, recordingRules: rules,
            stored: { [interactions = storage.stores.interactions] in try await interactions.count(in: $0) })
        let catalog = MessageCatalog(
            messages: storage.stores.messages, directory: directory,
            publicOrigin: try PublicOrigin("https://links.example"), linkLifetimeInDays: 30, now: now)
        let composer = Composer(
            consent: storage.stores.consents, decisions: storage.stores.decisions, metrics: DecisionMetrics(),
            keys: keys,
            linkLifetimeInDays: 30, now: now)
        let signer = CheckpointSigner(
            store: storage.stores.ledgers, seed: SecretBytes([UInt8](repeating: 3, count: 32)),
            archive: checkpoints, logger: logger)
        _ = try await storage.stores.ledgers.begin(at: .noon)
        _ = try await signer.begin([:]) {}
        let recording = ConsentRecording(storage.stores.consents, eraseSpooled: eraseSpooled)
        let useCases = PrivateAPI.UseCases(
            recording: recording,
            requesting: ConsentRequesting(
                store: storage.stores.consentRequests, recording: recording, keys: keys,
                publicOrigin: try PublicOrigin("https://links.example"), minimumPauseInDays: 90),
            catalog: catalog, composer: composer,
            rewriter: Rewriter(catalog: catalog, composer: composer),
            requests: IdempotentRequests(
                store: storage.stores.requests, fingerprinter: try IdempotencyFingerprinter(erasureKey: erasureKey)),
            keyRotation: KeyRotation(current: keys, store: ring, linkLifetimeInDays: 30, logger: logger),
            quotas: quotas,
            interactions: LinkedInteractions(
                interactions: storage.stores.interactions, messages: storage.stores.messages),
            signer: signer, proofs: LedgerProofs(ledgers: storage.stores.ledgers, signer: signer), backups: backups,
            nodes: nil, peers: try PeerSeal(clusterKey: Self.clusterKey), directory: directory, watch: watch,
            endpointSecrets: secrets,
            deliveries: EndpointDeliveries(
                store: storage.stores.deliveries, secrets: secrets, watch: watch, now: now,
                wallClock: { [wallClock] in wallClock.now }, logger: logger),
            accesses: PersonAccess(log: storage.stores.accesses, now: now))
        let api = PrivateAPI(
            Stores(
                organizations: storage.stores.organizations, messages: storage.stores.messages,
                consent: storage.stores.consents,
                consentRequests: storage.stores.consentRequests, accesses: storage.stores.accesses,
                decisions: storage.stores.decisions,
                interactions: storage.stores.interactions, reports: storage.stores.reports,
                ledgers: storage.stores.ledgers, endpoints: storage.stores.endpoints),
            useCases, drain: drain, keys: keys, now: now, recordingTime: { [time] in RecordingTime(now: time.now) })
        let times = RequestTimes()
        let router = api.router(
            operatorKey: try #require(Credential(Self.operatorKey)).digest,
            health: Health { [health] _ in health.impediments }, metrics: [times], times: times, bodies: bodies,
            workThreads: 2)
        responder = router.buildResponder()
    }

    // MARK: Asking

    /// - Parameters:
    ///   - key: `nil` for nobody.
    ///   - pieces: of the body, in the order in which they arrive.
    ///   - meanwhile: what happens after the head was read and before the body arrives.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, pieces: [String], key: String? = operatorKey,
        type: String? = "application/json", headers: HTTPFields = [:],
        meanwhile: (@Sendable () async throws -> Void)? = nil
    ) async throws -> ListenerAnswer {
        let (response, collected) = try await sent(method, path, pieces, key, type, headers, meanwhile)
        return ListenerAnswer(
            status: response.status.code, headers: response.headers,
            body: String(decoding: collected.bytes, as: UTF8.self), pieces: collected.pieces)
    }

    /// An answer that is no text.
    func bytes(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = ""
    ) async throws -> (status: Int, headers: HTTPFields, bytes: [UInt8]) {
        let (response, collected) = try await sent(
            method, path, [body], Self.operatorKey, "application/json", [:])
        return (response.status.code, response.headers, collected.bytes)
    }

    private func sent(
        _ method: HTTPRequest.Method, _ path: String, _ pieces: [String], _ key: String?, _ type: String?,
        _ headers: HTTPFields, _ meanwhile: (@Sendable () async throws -> Void)? = nil
    ) async throws -> (Response, ByteCollector) {
        var fields = headers
        if let key { fields[.authorization] = "Bearer \(key)" }
        if let type { fields[.contentType] = type }
        let buffers = pieces.map { ByteBuffer(string: $0) }
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "127.0.0.1", path: path, headerFields: fields),
            body: RequestBody(asyncSequence: ArrivingPieces(pieces: buffers, meanwhile: meanwhile)))
        let context = PrivateContext(
            source: ApplicationRequestContextSource(channel: NIOAsyncTestingChannel(), logger: logger))
        let response = try await responder.respond(to: request.withRoutedMethod, context: context)
        let collected = ByteCollector()
        try await response.body.write(collected)
        return (response, collected)
    }

    func get(_ path: String, key: String? = operatorKey, accept: String? = nil) async throws -> ListenerAnswer {
        try await ask(.get, path, pieces: [], key: key, type: nil, headers: accept.map { [.accept: $0] } ?? [:])
    }

    func post(
        _ path: String, _ body: String, key: String? = operatorKey, type: String? = "application/json",
        headers: HTTPFields = [:]
    ) async throws -> ListenerAnswer {
        try await ask(.post, path, pieces: [body], key: key, type: type, headers: headers)
    }

    // MARK: What is there

    /// Makes an organization. Returns its first key, which has all scopes.
    @discardableResult
    func organization(_ id: String = "acme", enforcement: String = "restrictive") async throws -> String {
        let made = try await post("/v1/orgs", #"{"id":"\#(id)","enforcement":"\#(enforcement)"}"#)
        #expect(made.status == 201)
        return made["key", "key"]?.text ?? ""
    }

    /// Makes a key of acme's with these scopes.
    func key(_ scopes: String...) async throws -> String {
        let names = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        return try await post("/v1/orgs/acme/keys", #"{"scopes":[\#(names)]}"#)["key"]?.text ?? ""
    }

    func consent(_ recipient: String, _ state: String) async throws {
        let made = try await post("/v1/orgs/acme/consents", #"{"recipient":"\#(recipient)","state":"\#(state)"}"#)
        #expect(made.status == 201)
    }

    /// Composes a message for these recipients, and gives the answer.
    func compose(_ recipients: [String], name: String = "sale", headers: HTTPFields = [:]) async throws
        -> ListenerAnswer
    {
        let list = recipients.map { "\"\($0)\"" }.joined(separator: ",")
        return try await post(
            "/v1/orgs/acme/payloads",
            #"{"message":{"name":"\#(name)","link":"https://shop.example/a"},"format":"plain","recipients":[\#(list)]}"#,
            headers: headers)
    }

    /// What a tracking ID says; `nil` when it does not open.
    func opened(_ token: String) throws -> TrackingID? {
        try TrackingIDOpener(keyRing: keys.value).open(token).trackingID
    }
}
