package import Consent
import Cryptography
package import Identifiers
package import Interactions
package import Ledger
package import Messages
package import Organizations
package import Reports
package import StoragePorts
package import TestSupport
import Testing
package import Webhooks

/// All ports of one storage, whichever it is, freshly made and empty but for two organizations.
///
/// Its clock stands still at ``Timestamp/noon``, and the ledgers that begin in it are named after ``ledgerHost``.
package struct StorageUnderTest: Sendable {
    package static let ledgerHost = "links.example"

    package let organizations: any OrganizationStore
    package let consents: any ConsentStore
    package let consentRequests: any ConsentRequestStore
    package let accesses: any AccessLog
    package let decisions: any DecisionLog
    package let messages: any MessageStore & MessageArchive
    package let interactions: any InteractionStore
    package let reports: any ReportStore
    package let requests: any IdempotencyStore
    package let retention: any RetentionStore
    package let leases: any JobLeaseStore
    package let sessions: any SessionStore
    package let clockHistory: any ClockHistoryStore
    package let ledgers: any CheckpointStore & LedgerChecking
    package let rules: any RuleFeed
    package let endpoints: any EndpointStore
    package let deliveries: any DeliveryStore
    package let upkeep: any StorageInspection & StorageMaintenance
    /// `nil` where the storage is copied by other means than ConsentLink's.
    package let backup: (any BackupSource)?
    /// Is told by this instance of the storage.
    package let observer: RecordingObserver
    /// Restrictive.
    package let acme: OrganizationID
    /// Not restrictive.
    package let globex: OrganizationID
    /// Opens the same storage once more, beside this instance.
    package let openBeside: @Sendable () throws -> StorageUnderTest
    /// Closes every instance of the storage and opens it again.
    package let reopen: @Sendable () throws -> StorageUnderTest
    /// Opens the copy that a backup made in a folder, as a storage of its own.
    package let openCopy: @Sendable (TemporaryFolder) throws -> StorageUnderTest
    /// Makes the disk of this instance full. Its result makes room again.
    package let fillDisk: @Sendable () async throws -> @Sendable () -> Void

    package init(
        organizations: any OrganizationStore, consents: any ConsentStore, consentRequests: any ConsentRequestStore,
        accesses: any AccessLog, decisions: any DecisionLog,
        messages: any MessageStore & MessageArchive, interactions: any InteractionStore, reports: any ReportStore,
        requests: any IdempotencyStore,
        retention: any RetentionStore, leases: any JobLeaseStore, sessions: any SessionStore,
        clockHistory: any ClockHistoryStore,
        ledgers: any CheckpointStore & LedgerChecking,
        rules: any RuleFeed, endpoints: any EndpointStore, deliveries: any DeliveryStore,
        upkeep: any StorageInspection & StorageMaintenance,
        backup: (any BackupSource)?,
        observer: RecordingObserver,
        openBeside: @escaping @Sendable () throws -> StorageUnderTest,
        reopen: @escaping @Sendable () throws -> StorageUnderTest,
        openCopy: @escaping @Sendable (TemporaryFolder) throws -> StorageUnderTest,
        fillDisk: @escaping @Sendable () async throws -> @Sendable () -> Void
    ) throws {
        self.organizations = organizations
        self.consents = consents
        self.consentRequests = consentRequests
        self.accesses = accesses
        self.decisions = decisions
        self.messages = messages
        self.interactions = interactions
        self.reports = reports
        self.requests = requests
        self.retention = retention
        self.leases = leases
        self.sessions = sessions
        self.clockHistory = clockHistory
        self.ledgers = ledgers
        self.rules = rules
        self.endpoints = endpoints
        self.deliveries = deliveries
        self.upkeep = upkeep
        self.backup = backup
        self.observer = observer
        self.openBeside = openBeside
        self.reopen = reopen
        self.openCopy = openCopy
        self.fillDisk = fillDisk
        acme = try OrganizationID("acme")
        globex = try OrganizationID("globex")
    }

    /// Makes the two organizations. For the adapter, before it gives the storage to a contract.
    package func makeOrganizations() async throws {
        let organizations = [
            Organization(id: acme, name: "Acme", enforcement: .restrictive, retention: .forever),
            Organization(id: globex, name: "Globex", enforcement: .nonRestrictive, retention: .forever),
        ]
        for (seed, organization) in organizations.enumerated() {
            _ = try await self.organizations.create(organization, firstKey: Self.key(UInt8(seed)), at: .noon)
        }
    }
}

extension StorageUnderTest {
    package static func key(_ seed: UInt8) -> NewAPIKey {
        NewAPIKey(digest: APIKeyDigest(bytes: SHA256.hash(of: [seed])), name: "first", scopes: [.manage])
    }

    /// Records one consent.
    @discardableResult
    package func record(
        _ state: ConsentState, for recipient: RecipientID, purpose: Purpose = .tracking, occurredAt: Timestamp? = nil,
        validUntil: Timestamp? = nil, evidence: ConsentEvidence? = nil, in organization: OrganizationID? = nil,
        at now: Timestamp = .noon
    ) async throws -> ConsentRecord {
        let record = try NewConsentRecord(
            recipient: recipient, purpose: purpose, state: state, occurredAt: occurredAt, validUntil: validUntil,
            evidence: evidence, now: now)
        return try #require(try await consents.append([record], in: organization ?? acme, at: now).first)
    }

    package func status(
        of recipient: RecipientID, for purpose: Purpose = .tracking, in organization: OrganizationID? = nil,
        at instant: Timestamp = .noon
    ) async throws -> ConsentStatus {
        let answer = try await consents.statuses(of: [recipient], for: purpose, in: organization ?? acme, at: instant)
        return try #require(answer.statuses.first)
    }

    package func status(
        of reference: RecipientReference, for purpose: Purpose = .tracking, at instant: Timestamp = .noon
    ) async throws -> ConsentStatus {
        let question = ReferenceQuestion(reference: reference, purpose: purpose, instant: instant)
        return try #require(try await consents.statuses(of: [question]).first)
    }

    package func epoch(in organization: OrganizationID? = nil) async throws -> OrganizationEpoch {
        try await basis(in: organization).epoch
    }

    package func basis(in organization: OrganizationID? = nil) async throws -> SnapshotBasis {
        try await consents.statuses(of: [], for: .tracking, in: organization ?? acme, at: .noon).basis
    }

    package func message(
        _ name: String = "spring", purpose: Purpose = .tracking, in organization: OrganizationID? = nil
    ) async throws -> MessageID {
        var content = Message(name: name)
        content.purposes = MessagePurposes(both: purpose)
        return try await messages.save(content, in: organization ?? acme, at: .noon).message.id
    }

    @discardableResult
    package func decide(
        _ reasons: [(RecipientID, DecisionReason)], of message: MessageID, in organization: OrganizationID? = nil,
        at now: Timestamp = .noon
    ) async throws -> [RecordedDecision] {
        try await decisions.append(
            reasons.map { Decision(recipient: $0, verdict: ConsentVerdict(reason: $1)) }, of: message,
            in: organization ?? acme, asOf: try await basis(in: organization), at: now)
    }

    /// How many decisions there were about a message, by reason.
    package func decisionCounts(
        of message: MessageID, in organization: OrganizationID? = nil
    ) async throws -> [DecisionReason: Int] {
        try await reports.counts(of: message, in: organization ?? acme)?.decisions ?? [:]
    }

    /// What came back for a message.
    package func activity(
        of message: MessageID, in organization: OrganizationID? = nil
    ) async throws -> MessageActivity {
        try await reports.counts(of: message, in: organization ?? acme)?.activity ?? MessageActivity()
    }

    /// One step of retention, under a lease of its own.
    package func purge(_ organization: OrganizationID, at now: Timestamp, limit: Int) async throws -> Purge {
        try await withRetention { try await retention.purge(organization, at: now, limit: limit, as: $0) }
    }

    /// Keeps a hold, under a lease of its own.
    package func note(_ hold: RetentionHold) async throws {
        try await withRetention { try await retention.store(hold, as: $0) }
    }

    /// Deletes requests, under a lease of its own.
    package func forgetRequests(madeUntil instant: Timestamp, limit: Int) async throws -> Int {
        try await withRetention { try await retention.forgetRequests(madeUntil: instant, limit: limit, as: $0) }
    }

    private func withRetention<Result>(_ step: (JobToken) async throws -> Result) async throws -> Result {
        let token = try #require(try await leases.acquire(.retention, at: .noon, until: .noon + 60_000))
        let result = try await step(token)
        try await leases.release(token)
        return result
    }

    /// The reference of somebody who is tracked for the purpose.
    package func reference(
        of recipient: RecipientID, message: MessageID, in organization: OrganizationID? = nil
    ) async throws -> RecipientReference {
        let decision = try await decide([(recipient, .consentGiven)], of: message, in: organization)[0]
        return try #require(decision.reference)
    }
}

extension RecordedDecision {
    package var reference: RecipientReference? {
        if case .tracked(let reference) = permit { reference } else { nil }
    }
}

extension RecipientID {
    package static var ana: RecipientID { get throws { try RecipientID("ana@example.com") } }
    package static var bo: RecipientID { get throws { try RecipientID("bo@example.com") } }
}
