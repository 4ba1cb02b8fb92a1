import Consent
import Cryptography
import HTTPTypes
import Hummingbird
import Identifiers
import Logging
import Messages
import NIOCore
import NIOEmbedded
import Organizations
import Redirect
import SQL
import SQLStorage
import SQLiteFiles
import SQLiteStorage
import TestSupport
import Testing
import TrackingIDs
import UseCases

@testable import HTTPAPI

/// The page for withdrawing on a real storage, asked without a socket.
struct PublicListenerFixture {

    private let folder: TemporaryFolder
    let storage: SQLiteStorage
    let recordingRules = RecordingRulesTable()
    let directory: LinkDirectory
    let keys: CurrentKeyRing
    let organization: OrganizationID

    /// Closed and removed with ``end()``.
    init(_ enforcement: Enforcement = .restrictive, name: String = "Acme & Söhne <b>") async throws {
        folder = try TemporaryFolder()
        let links = LinkTable(rules: recordingRules)
        let follower = RuleFollower(consent: recordingRules, messages: links)
        storage = try SQLiteStorage.open(
            folder: folder.path, erasureKey: SecretBytes([UInt8](repeating: 7, count: 32)), ledgerHost: "links.example",
            observer: follower, clock: { .noon })
        let ring = try KeyRing(
            keys: [
                .init(
                    id: 1, secret: SecretBytes([UInt8](repeating: 1, count: 32)), createdAt: .noon, signedUntil: nil
                )
            ])
        keys = CurrentKeyRing(ring)
        directory = LinkDirectory(store: storage.stores.messages, table: links)
        organization = try OrganizationID("acme")
        let key = NewAPIKey(
            digest: APIKeyDigest(bytes: SHA256.hash(of: [1])), name: "first", scopes: [.manage])
        let made = Organization(id: organization, name: name, enforcement: enforcement)
        _ = try await storage.stores.organizations.create(made, firstKey: key, at: .noon)
        try await follower.catchUp(with: storage.stores.rules)
    }

    func end() {
        try? storage.close()
        folder.remove()
    }

    // MARK: What is there

    func message(_ purpose: Purpose = .tracking) async throws -> StoredMessage {
        try await message(MessagePurposes(both: purpose))
    }

    func message(_ purposes: MessagePurposes) async throws -> StoredMessage {
        var content = Message(name: "spring")
        content.purposes = purposes
        content.link = Message.Link(target: try TargetURL(stored: "https://shop.example/secret"), isDeepLink: false)
        return try await storage.stores.messages.save(content, in: organization, at: .noon, fingerprint: nil).message
    }

    func record(
        _ state: ConsentState, for recipient: RecipientID, _ purpose: Purpose = .tracking, validUntil: Timestamp? = nil
    ) async throws {
        let record = try NewConsentRecord(
            recipient: recipient, purpose: purpose, state: state, occurredAt: nil, validUntil: validUntil,
            evidence: nil, now: .noon)
        _ = try await storage.stores.consents.append([record], in: organization, at: .noon, fingerprint: nil)
    }

    /// All records about a recipient, oldest first.
    func history(of recipient: RecipientID) async throws -> [ConsentRecord] {
        let consents = storage.stores.consents
        return try await consents.records(
            try await consents.recordIDs(of: recipient, in: organization), in: organization)
    }

    func erase(_ recipient: RecipientID) async throws {
        _ = try await storage.stores.consents.erase(recipient, in: organization) { _ in }
    }

    /// The reference of somebody who was tracked in a payload of `message`.
    func reference(
        of recipient: RecipientID, _ message: StoredMessage, _ reason: DecisionReason = .consentGiven
    ) async throws -> RecipientReference {
        let statuses = try await storage.stores.consents.statuses(
            of: [], for: message.content.purposes.distinct, in: organization, at: .noon)
        let activities: [TrackedActivity?] = message.content.purposes.shared == nil ? [.clicks, .opens] : [nil]
        let decided = try await storage.stores.decisions.append(
            activities.map { Decision(recipient: recipient, activity: $0, verdict: ConsentVerdict(reason: reason)) },
            of: message.id, in: organization, asOf: statuses.basis, at: .noon, fingerprint: nil)
        guard case .tracked(let reference) = decided[0].permit else { throw StorageError.unreadable }
        return reference
    }

    func token(
        _ message: StoredMessage, _ reference: RecipientReference, link: UInt16 = 0, expires: UInt32 = 1_811_030_400
    ) throws -> String {
        try TrackingIDSealer(keyRing: keys.value).seal(
            TrackingID(
                message: message.id, recipient: reference, link: LinkIndex(rawValue: link),
                expiry: LinkExpiry(secondsSince1970: expires)))
    }

    // MARK: Asking

    /// - Parameters:
    ///   - type: the media type of the form.
    ///   - consent: asked instead of the storage.
    func ask(
        _ method: HTTPRequest.Method, _ path: String, accept: String = "text/html", language: String? = nil,
        form: String? = nil, type: String = "application/x-www-form-urlencoded",
        consent: (any ConsentLookup & ConsentRecorder)? = nil
    ) async throws -> (status: Int, headers: HTTPFields, body: String) {
        let routes = WithdrawalRoutes(
            opener: try SharedTrackingIDOpener(keys: keys), directory: directory,
            organizations: storage.stores.organizations,
            consent: consent ?? storage.stores.consents,
            recording: ConsentRecording(consent ?? storage.stores.consents) {},
            receipts: try SharedReceiptTokens(keys: keys),
            now: { .noon })
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: ProblemMiddleware(requestIDs: .logged))
        routes.add(to: router)
        PreferencesRoutes(senders: SenderDirectory(storage.stores.organizations, now: { .noon })).add(to: router)
        var header: HTTPFields = [.accept: accept]
        header[.acceptLanguage] = language
        if form != nil { header[.contentType] = type }
        let request = Request(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "links.example", path: path, headerFields: header),
            body: RequestBody(buffer: ByteBuffer(string: form ?? "")))
        let channel = EmbeddedChannel()
        let context = BasicRequestContext(
            source: ApplicationRequestContextSource(channel: channel, logger: Logger(label: "test")))
        let response = try await router.buildResponder().respond(to: request, context: context)
        let collected = CollectingWriter()
        try await response.body.write(collected)
        return (response.status.code, response.headers, collected.text)
    }
}

/// Keeps what is written.
final class CollectingWriter: ResponseBodyWriter {
    private(set) var text = ""
    func write(_ buffer: ByteBuffer) async throws { text += String(buffer: buffer) }
    func finish(_: HTTPFields?) async throws {}
}

/// A consent store that can be neither asked nor written.
struct ConsentStoreOutage: ConsentLookup, ConsentRecorder {
    func statuses(
        of _: [RecipientID], for _: [Purpose], in _: OrganizationID, at _: Timestamp
    ) async throws -> ConsentStatuses { throw StorageError.busy }
    func statusesForPreview(
        of _: [RecipientID], for _: [Purpose], in _: OrganizationID, at _: Timestamp
    ) async throws -> ConsentStatuses { throw StorageError.busy }
    func statuses(of _: [ReferenceQuestion]) async throws -> [ConsentStatus] { throw StorageError.busy }
    func newestRecord() async throws -> ConsentRecordID? { throw StorageError.busy }
    func append(
        _: [NewConsentRecord], in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord] { throw StorageError.busy }
    func withdraw(
        _: RecipientReference, for _: [Purpose], alsoOpens _: Bool, evidence _: ConsentEvidence, in _: OrganizationID,
        at _: Timestamp
    ) async throws -> [Withdrawal] { throw StorageError.busy }
    func recordedPurposes(
        among _: Set<Purpose>, in _: OrganizationID, limit _: Int
    ) async throws -> RecordedPurposes { throw StorageError.busy }
    func erase(
        _: RecipientID, in _: OrganizationID, whenDurable _: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts { throw StorageError.busy }
    func clearErased() async throws { throw StorageError.busy }
}

/// Somebody else's service.
enum TrackingIDForeign {
    static func token(_ message: StoredMessage, _ reference: RecipientReference) throws -> String {
        let ring = try KeyRing(
            keys: [
                .init(
                    id: 1, secret: SecretBytes([UInt8](repeating: 2, count: 32)),
                    createdAt: .noon, signedUntil: nil)
            ])
        return try TrackingIDSealer(keyRing: ring).seal(
            TrackingID(
                message: message.id, recipient: reference, link: .message,
                expiry: LinkExpiry(secondsSince1970: 1_811_030_400)))
    }
}
