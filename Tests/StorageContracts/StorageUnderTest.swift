package import Consent
import Cryptography
package import Identifiers
package import Interactions
package import Ledger
package import Messages
package import Organizations
import TestSupport
import Testing

/// All ports of one storage, whichever it is, freshly made and empty but for two organizations.
///
/// Its clock stands still at ``Timestamp/noon``, and the ledgers that begin in it are named after ``ledgerHost``.
package struct StorageUnderTest: Sendable {
    package static let ledgerHost = "links.example"

    package let organizations: any OrganizationStore
    package let consents: any ConsentStore
    package let decisions: any DecisionLog
    package let messages: any MessageStore
    package let interactions: any InteractionStore
    package let requests: any IdempotencyStore
    package let retention: any RetentionStore
    package let ledgers: any CheckpointStore & LedgerChecking
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

    package init(
        organizations: any OrganizationStore, consents: any ConsentStore, decisions: any DecisionLog,
        messages: any MessageStore, interactions: any InteractionStore, requests: any IdempotencyStore,
        retention: any RetentionStore, ledgers: any CheckpointStore & LedgerChecking, observer: RecordingObserver,
        openBeside: @escaping @Sendable () throws -> StorageUnderTest,
        reopen: @escaping @Sendable () throws -> StorageUnderTest
    ) throws {
        self.organizations = organizations
        self.consents = consents
        self.decisions = decisions
        self.messages = messages
        self.interactions = interactions
        self.requests = requests
        self.retention = retention
        self.ledgers = ledgers
        self.observer = observer
        self.openBeside = openBeside
        self.reopen = reopen
        acme = try OrganizationID("acme")
        globex = try OrganizationID("globex")
    }

    /// Makes the two organizations. For the adapter, before it gives the storage to a contract.
    package func makeOrganizations() async throws {
        let organizations = [
            Organization(id: acme, name: "Acme", enforcement: .restrictive),
            Organization(id: globex, name: "Globex", enforcement: .nonRestrictive),
        ]
        for (seed, organization) in organizations.enumerated() {
            _ = try await self.organizations.create(organization, firstKey: Self.key(UInt8(seed)), at: .noon)
        }
    }
}

extension StorageUnderTest {
    package static func key(_ seed: UInt8) -> NewAccessKey {
        NewAccessKey(digest: AccessKeyDigest(bytes: SHA256.hash(of: [seed])), name: "first", scopes: [.manage])
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

    package func erasures(in organization: OrganizationID? = nil) async throws -> ErasureCount {
        try await basis(in: organization).erasures
    }

    package func basis(in organization: OrganizationID? = nil) async throws -> SnapshotBasis {
        try await consents.statuses(of: [], for: .tracking, in: organization ?? acme, at: .noon).basis
    }

    package func message(
        _ name: String = "spring", purpose: Purpose = .tracking, in organization: OrganizationID? = nil
    ) async throws -> MessageID {
        var content = Message(name: name)
        content.purpose = purpose
        return try await messages.save(content, in: organization ?? acme, at: .noon).message.id
    }

    @discardableResult
    package func decide(
        _ reasons: [(RecipientID, DecisionReason)], of message: MessageID, enforcement: Enforcement = .restrictive,
        in organization: OrganizationID? = nil, at now: Timestamp = .noon
    ) async throws -> [RecordedDecision] {
        try await decisions.append(
            reasons.map { Decision(recipient: $0, verdict: Verdict(reason: $1)) }, of: message,
            enforcement: enforcement, in: organization ?? acme, asOf: try await basis(in: organization), at: now)
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
