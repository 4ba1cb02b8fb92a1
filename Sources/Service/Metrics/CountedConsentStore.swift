import Consent
import Counting
import Identifiers

/// A consent store that counts what was recorded, once it is durable.
struct CountedConsentStore: ConsentStore, MetricSource {
    let store: any ConsentStore
    private let records = CounterArray(count: ConsentState.allCases.count)
    private let erasures = CounterArray(count: 1)
    private static let places = Dictionary(uniqueKeysWithValues: ConsentState.allCases.enumerated().map { ($1, $0) })

    init(_ store: any ConsentStore) { self.store = store }

    func append(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp, once mark: RequestMark?
    ) async throws -> [ConsentRecord] {
        let stored = try await store.append(records, in: organization, at: now, once: mark)
        for record in stored { count(record) }
        return stored
    }

    func withdraw(
        _ reference: RecipientReference, for purpose: Purpose, evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> Withdrawal {
        let withdrawal = try await store.withdraw(
            reference, for: purpose, evidence: evidence, in: organization, at: now)
        if case .recorded(let record) = withdrawal { count(record) }
        return withdrawal
    }

    private func count(_ record: ConsentRecord) { Self.places[record.state].map { records.add(at: $0) } }

    func records(
        from first: ConsentRecordID, through last: ConsentRecordID, in organization: OrganizationID
    ) async throws -> [ConsentRecord] {
        try await store.records(from: first, through: last, in: organization)
    }

    func standings(
        of recipients: [RecipientID], for purpose: Purpose, in organization: OrganizationID, at moment: Timestamp
    ) async throws -> ConsentStandings {
        try await store.standings(of: recipients, for: purpose, in: organization, at: moment)
    }

    func standings(of questions: [ReferenceQuestion]) async throws -> [ConsentStanding] {
        try await store.standings(of: questions)
    }

    func history(of recipient: RecipientID, in organization: OrganizationID) async throws -> [ConsentRecord] {
        try await store.history(of: recipient, in: organization)
    }

    func history(
        of recipient: RecipientID, after last: ConsentRecord?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentRecord] {
        try await store.history(of: recipient, after: last, limit: limit, in: organization)
    }

    func firstName(of recipient: RecipientID, in organization: OrganizationID) async throws -> RecipientID? {
        try await store.firstName(of: recipient, in: organization)
    }

    func record(_ id: ConsentRecordID, in organization: OrganizationID) async throws -> ConsentRecord? {
        try await store.record(id, in: organization)
    }

    func erase(_ recipient: RecipientID, in organization: OrganizationID) async throws -> Erasure {
        let erasure = try await store.erase(recipient, in: organization)
        erasures.add(at: 0)
        return erasure
    }

    var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_consent_records_total", "Consent records that were stored, by state.",
                ConsentState.allCases.enumerated().map { ([.init("state", $1.rawValue)], records[$0]) }),
            .counter("consentlink_erasures_total", "Erasures that were carried out.", erasures[0]),
        ]
    }
}
