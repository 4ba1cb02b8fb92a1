import Consent
import Cryptography
import Foundation
import Identifiers
import Messages
import Organizations
import Redirect
import SQLStorage
import SQLiteStorage
import StorageContracts
import Testing
import TrackingIDs

@testable import Service
@testable import UseCases

/// A real storage under a clock, and a composer that decides on it. It can be closed and opened again.
final class JudgedFixture: Sendable {
    let folder: String
    let clock: ServiceClock
    let storage: SQLiteStorage
    let recordingRules = RecordingRulesTable()
    let composer: Composer
    let organization: OrganizationID
    let message: StoredMessage

    init(
        _ enforcement: Enforcement, in folder: String? = nil,
        source: @escaping @Sendable () -> ClockReading = ClockReading.system
    ) async throws {
        self.folder = folder ?? NSTemporaryDirectory() + "consentlink-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        let clock = ServiceClock(source: source)
        self.clock = clock
        let follower = RuleFollower(consent: recordingRules, messages: LinkTable(rules: recordingRules))
        storage = try SQLiteStorage.open(
            folder: self.folder, erasureKey: SecretBytes([UInt8](repeating: 7, count: 32)),
            ledgerHost: "links.example", observer: follower, clock: { clock.now() })
        _ = clock.begin(notBefore: try await storage.latestTime())
        organization = try OrganizationID("acme")
        let key = NewAPIKey(
            digest: APIKeyDigest(bytes: SHA256.hash(of: [1])), name: "first", scopes: [.manage])
        _ = try await storage.stores.organizations.create(
            Organization(id: organization, name: "Acme", enforcement: enforcement), firstKey: key, at: clock.now())
        try await follower.catchUp(with: storage.stores.rules)
        message = try await storage.stores.messages.save(Message(name: "walk"), in: organization, at: clock.now())
            .message
        let secret = SecretBytes([UInt8](repeating: 1, count: 32))
        let ring = try KeyRing(keys: [.init(id: 1, secret: secret, createdAt: clock.now(), signedUntil: nil)])
        composer = Composer(
            consent: storage.stores.consents, decisions: storage.stores.decisions, metrics: DecisionMetrics(),
            keys: CurrentKeyRing(ring),
            linkLifetimeInDays: 30, now: { clock.now() })
    }

    /// Closed, and opened again by a new clock.
    func reopened(source: @escaping @Sendable () -> ClockReading) async throws -> JudgedFixture {
        try storage.close()
        return try await JudgedFixture(.restrictive, in: folder, source: source)
    }

    func end() {
        try? storage.close()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// As `POST …/consents` does.
    func record(
        _ state: ConsentState, for recipient: RecipientID, occurredAt: Timestamp? = nil, validFor: Int64? = nil
    ) async throws -> ConsentRecord {
        let instant = clock.recordingTime
        let record = try NewConsentRecord(
            recipient: recipient, purpose: .tracking, state: state, occurredAt: occurredAt,
            validUntil: validFor.map(instant.now.advanced), evidence: nil, instant: instant)
        return try #require(try await storage.stores.consents.append([record], in: organization, at: instant.now).first)
    }

    func decide(_ recipient: RecipientID) async throws -> RecordedDecision {
        let settings = try #require(try await storage.stores.organizations.organization(organization))
        let decided = try await composer.decide(about: recipient, of: message, in: settings, fingerprint: nil)
        return decided.decisions[0][.clicks]
    }

    func set(_ enforcement: Enforcement) async throws {
        _ = try await storage.stores.organizations.change(
            organization, by: OrganizationChange(enforcement: enforcement), at: clock.now())
    }
}
