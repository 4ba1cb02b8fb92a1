import Consent
import Cryptography
import Identifiers
import Interactions
import Ledger
import Messages
import Organizations
import Testing

/// All ports of one storage, whichever it is, freshly made and empty but for two organizations.
struct StorageUnderTest: Sendable {
    let organizations: any OrganizationStore
    let consents: any ConsentStore
    let decisions: any DecisionLog
    let messages: any MessageStore
    let interactions: any InteractionStore
    let requests: any IdempotencyStore
    let retention: any RetentionStore
    let ledgers: any LedgerStore
    let spool: any ClickSpool
    let observer: RecordingObserver
    /// Restrictive.
    let acme: OrganizationID
    /// Not restrictive.
    let globex: OrganizationID
}

/// One promise of a port, as a sentence, and what shows that a storage keeps it.
struct Promise: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let check: @Sendable (StorageUnderTest) async throws -> Void

    init(_ sentence: String, _ check: @escaping @Sendable (StorageUnderTest) async throws -> Void) {
        testDescription = sentence
        self.check = check
    }
}

extension StorageUnderTest {
    static let acmeOrganization = try? Organization(id: OrganizationID("acme"), name: "Acme", enforcement: .restrictive)
    static let globexOrganization = try? Organization(
        id: OrganizationID("globex"), name: "Globex", enforcement: .nonRestrictive)

    static func key(_ seed: UInt8) -> NewAccessKey {
        NewAccessKey(digest: AccessKeyDigest(bytes: SHA256.hash(of: [seed])), name: "first", scopes: [.manage])
    }

    /// Records one consent.
    @discardableResult
    func record(
        _ state: ConsentState, for recipient: RecipientID, purpose: Purpose = .tracking, occurredAt: Timestamp? = nil,
        validUntil: Timestamp? = nil, evidence: ConsentEvidence? = nil, in organization: OrganizationID? = nil,
        at now: Timestamp = .noon
    ) async throws -> ConsentRecord {
        let record = try NewConsentRecord(
            recipient: recipient, purpose: purpose, state: state, occurredAt: occurredAt, validUntil: validUntil,
            evidence: evidence, now: now)
        return try #require(try await consents.append([record], in: organization ?? acme, at: now).first)
    }

    func standing(
        of recipient: RecipientID, for purpose: Purpose = .tracking, in organization: OrganizationID? = nil,
        at moment: Timestamp = .noon
    ) async throws -> ConsentStanding {
        let answer = try await consents.standings(of: [recipient], for: purpose, in: organization ?? acme, at: moment)
        return try #require(answer.standings.first)
    }

    func standing(
        of reference: RecipientReference, for purpose: Purpose = .tracking, at moment: Timestamp = .noon
    ) async throws -> ConsentStanding {
        let question = ReferenceQuestion(reference: reference, purpose: purpose, moment: moment)
        return try #require(try await consents.standings(of: [question]).first)
    }

    func erasures(in organization: OrganizationID? = nil) async throws -> ErasureCount {
        try await basis(in: organization).erasures
    }

    func basis(in organization: OrganizationID? = nil) async throws -> StandingsBasis {
        try await consents.standings(of: [], for: .tracking, in: organization ?? acme, at: .noon).basis
    }

    func message(
        _ name: String = "spring", purpose: Purpose = .tracking, in organization: OrganizationID? = nil
    ) async throws -> MessageID {
        var content = Message(name: name)
        content.purpose = purpose
        return try await messages.save(content, in: organization ?? acme, at: .noon).message.id
    }

    @discardableResult
    func decide(
        _ reasons: [(RecipientID, DecisionReason)], of message: MessageID, enforcement: Enforcement = .restrictive,
        in organization: OrganizationID? = nil, at now: Timestamp = .noon
    ) async throws -> [RecordedDecision] {
        try await decisions.append(
            reasons.map { Decision(recipient: $0, verdict: Verdict(reason: $1)) }, of: message,
            enforcement: enforcement, in: organization ?? acme, asOf: try await basis(in: organization), at: now)
    }

    /// The reference of somebody who is tracked for the purpose.
    func reference(
        of recipient: RecipientID, message: MessageID, in organization: OrganizationID? = nil
    ) async throws -> RecipientReference {
        let decision = try await decide([(recipient, .consentGiven)], of: message, in: organization)[0]
        return try #require(decision.reference)
    }
}

extension RecordedDecision {
    var reference: RecipientReference? {
        if case .tracked(let reference) = permit { reference } else { nil }
    }
}

extension Timestamp {
    static let noon = Timestamp(secondsSince1970: 1_795_348_800)

    static func + (moment: Timestamp, milliseconds: Int64) -> Timestamp {
        moment.advanced(byMilliseconds: milliseconds)
    }
}

extension RecipientID {
    static var ana: RecipientID { get throws { try RecipientID("ana@example.com") } }
    static var bo: RecipientID { get throws { try RecipientID("bo@example.com") } }
}
