package import Identifiers

/// Keeps what people said about being tracked.
///
/// Everything may be called at once from anywhere. When a call that writes returns, what it wrote is durable and its
/// ``ConsentObserver`` has been told; when it throws, nothing was written.
package protocol ConsentStore: Sendable {
    /// Appends all of `records` or none.
    ///
    /// A grant for an erased person makes them known again, under a new reference.
    /// Records are timed by the store's clock inside the transaction, or by `now` where that is later: in the order of
    /// the commits, no record is older than one before.
    /// - Parameter mark: of the request that asks for it; it is kept together with the records, or neither is.
    /// - Returns: the stored records, in the order given.
    /// - Throws: `RequestMarkTaken` when a request of that mark's key has had its effect.
    func append(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp, once mark: RequestMark?
    ) async throws -> [ConsentRecord]

    /// Records that the person behind a reference withdraws, unless a record that ends tracking is in force already.
    /// What is in force is read in the transaction that appends, so that asked twice at once it adds one record.
    ///
    /// A consent that has run out, and none at all, are silence: a withdrawal is recorded after them, too.
    func withdraw(
        _ reference: RecipientReference, for purpose: Purpose, evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> Withdrawal

    /// The records of one append, by its first and its last, in its order.
    func records(
        from first: ConsentRecordID, through last: ConsentRecordID, in organization: OrganizationID
    ) async throws -> [ConsentRecord]

    /// Where each of `recipients` stands at `moment`, in the order given.
    func standings(
        of recipients: [RecipientID], for purpose: Purpose, in organization: OrganizationID, at moment: Timestamp
    ) async throws -> ConsentStandings

    /// Where the people behind references stood at the moments asked about, in the order given. A reference that is
    /// not known (any more) is ``ConsentStanding/erased``.
    func standings(of questions: [ReferenceQuestion]) async throws -> [ConsentStanding]

    /// The name that a recipient was first given by, which lists and exports show them under; `nil` for an unknown one
    /// and for one who was erased.
    func firstName(of recipient: RecipientID, in organization: OrganizationID) async throws -> RecipientID?

    /// Everything recorded about a person, oldest first; empty for an unknown one.
    func history(of recipient: RecipientID, in organization: OrganizationID) async throws -> [ConsentRecord]

    /// At most `limit` of a person's records, by purpose and for each purpose in the order in which they come into
    /// force, so that the last of a purpose is the one that is. However many there are, a part costs what is in it.
    /// - Parameter last: the last one of the part before.
    func history(
        of recipient: RecipientID, after last: ConsentRecord?, limit: Int, in organization: OrganizationID
    ) async throws -> [ConsentRecord]

    /// The record with `id`; `nil` when the organization has none such.
    func record(_ id: ConsentRecordID, in organization: OrganizationID) async throws -> ConsentRecord?

    /// Forgets who a person is: afterwards no file holds a byte of them, and what remains of their records names nobody.
    /// A keyed hash stays, so that they are not taken for somebody new.
    func erase(_ recipient: RecipientID, in organization: OrganizationID) async throws -> Erasure
}

extension ConsentStore {
    package func append(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp
    ) async throws -> [ConsentRecord] {
        try await append(records, in: organization, at: now, once: nil)
    }
}

/// Answers to one question about many recipients.
package struct ConsentStandings: Sendable {
    package let standings: [ConsentStanding]
    /// A decision that rests on the answer names it, so that a log can tell whether the answer still holds.
    package let basis: StandingsBasis

    package init(standings: [ConsentStanding], basis: StandingsBasis) {
        self.standings = standings
        self.basis = basis
    }
}

/// What a store had recorded when it answered.
package struct StandingsBasis: Hashable, Sendable {
    /// How often people of the organization had been erased.
    package let erasures: ErasureCount
    /// The last consent record of all; `nil` when there was none.
    package let lastRecord: ConsentRecordID?
    /// The earliest moment at which a consent among the answers ends by itself.
    package let holdsUntil: Timestamp

    package init(erasures: ErasureCount, lastRecord: ConsentRecordID?, holdsUntil: Timestamp) {
        self.erasures = erasures
        self.lastRecord = lastRecord
        self.holdsUntil = holdsUntil
    }
}

/// The number of erasures of an organization so far.
package struct ErasureCount: Hashable, Sendable {
    package let rawValue: Int64
    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Asks where the person behind a reference stood at a moment.
package struct ReferenceQuestion: Hashable, Sendable {
    package let reference: RecipientReference
    package let purpose: Purpose
    package let moment: Timestamp

    package init(reference: RecipientReference, purpose: Purpose, moment: Timestamp) {
        self.reference = reference
        self.purpose = purpose
        self.moment = moment
    }
}

/// How many of a person's rows no longer name them.
package struct Erasure: Hashable, Sendable {
    package let consents: Int
    package let decisions: Int
    package let interactions: Int

    package init(consents: Int, decisions: Int, interactions: Int) {
        self.consents = consents
        self.decisions = decisions
        self.interactions = interactions
    }
}
