import Consent
import Cryptography
import Identifiers
import Interactions
import SQL
import StoragePorts

/// What a write works with: the connection inside its transaction, and the sources of values that must be made one
/// after another, such as ids.
///
/// There is one, and it is used on the writer's thread. The ids that a failed write has made are not made again.
final class WriteContext: RuleTransaction {
    /// The connection of the present transaction.
    private(set) var db: any SQLConnection
    var random = BufferedRandom()
    private var references = RecipientReferenceSequence()
    private let participant: any TransactionParticipant
    private let rules: any RuleChangeLog
    /// The slot of the node.
    private let slot: NodeSlot
    var leases = JobLeases()
    /// The changes of the rules in the present transaction, in order.
    private var ruleChanges: [RuleChange] = []
    /// `nil` if only this process has the database open.
    private var writerLock: WriterLock?
    private let clock: @Sendable () -> Timestamp
    /// The latest time at which this process wrote.
    private var latest = Timestamp.distantPast
    /// The latest time at which other writers wrote since this process began; their clocks may be ahead of its clock.
    private var latestOfOthers = Timestamp.distantPast
    private var sequences: [EntityKind: TimeOrderedSequence] = [:]
    private var decisionVolumes: LogVolumes
    private var interactionVolumes: LogVolumes
    private var interactionPositions: TimeOrderedSequence
    private var confirmationPositions: TimeOrderedSequence

    /// The kinds of rows whose ids are made here, all with the slot of the node. (An interaction gets its id in the
    /// spool.)
    enum EntityKind: String, CaseIterable {
        case apiKeys = "access_keys"
        case messages
        case consents
        case decisions
        case consentRequests = "consent_requests"
        case endpoints
        case accesses
    }

    /// - Parameter clock: must never go back.
    init(
        _ db: any SQLConnection, slot: NodeSlot, participant: any TransactionParticipant, rules: any RuleChangeLog,
        clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.db = db
        self.slot = slot
        self.clock = clock
        self.participant = participant
        self.rules = rules
        writerLock = db.dialect.hasSeveralWriters ? WriterLock() : nil
        decisionVolumes = try LogVolumes(of: .decisions, db)
        interactionVolumes = try LogVolumes(of: .interactions, db)
        interactionPositions = TimeOrderedSequence(slot: slot, after: try Self.greatestPosition(db))
        confirmationPositions = TimeOrderedSequence(slot: slot, after: try Self.greatestConfirmationPosition(db))
        for kind in EntityKind.allCases {
            sequences[kind] = TimeOrderedSequence(slot: slot, after: try Self.greatestNumber(in: kind.rawValue, db))
        }
    }

    /// Begins a transaction on this connection. It may be a repetition of the transaction before, whose effects in
    /// memory are then undone.
    ///
    /// Where several processes write, it waits for the ``WriterLock``, and learns what the others wrote meanwhile.
    func begin(on db: any SQLConnection) throws {
        undo(to: .beginning)
        self.db = db
        guard let others = try writerLock?.acquire(db) else { return }
        participant.forget()
        if others.areThere, let latest = others.latest { latestOfOthers = max(latestOfOthers, latest.timestamp) }
        for kind in EntityKind.allCases { sequences[kind]?.follow(others.latest) }
        interactionPositions.follow(others.latest)
        confirmationPositions.follow(others.latest)
    }

    /// Must be called last in a transaction, before its commit.
    func finish() throws {
        try participant.finish(db)
        try rules.enter(ruleChanges, self)
        let made = (sequences.values + [interactionPositions, confirmationPositions]).compactMap(\.greatest).max()
        try writerLock?.end(latest: max(made?.rawValue ?? 0, TimeOrderedNumber.lowerBound(at: latest)), db)
    }

    /// Called when the transaction is durable, before any caller is answered.
    func didCommit() {
        participant.didCommit()
        rules.didCommit()
        ruleChanges = []
    }

    /// How many transactions have written to the database, this one included; `nil` if only this process has it open.
    var generation: Int64? { writerLock?.generation }

    /// Makes the next transaction read again the rows of which there are copies in memory.
    func invalidate() { writerLock?.invalidate() }

    /// How much of the present transaction can be undone.
    struct Savepoint {
        static let beginning = Savepoint(participant: 0, ruleChanges: 0)

        fileprivate let participant: Int
        fileprivate let ruleChanges: Int
    }

    var savepoint: Savepoint { Savepoint(participant: participant.savepoint, ruleChanges: ruleChanges.count) }

    /// Undoes in memory what was done since `savepoint`.
    func undo(to savepoint: Savepoint) {
        participant.undo(to: savepoint.participant)
        ruleChanges.removeSubrange(savepoint.ruleChanges...)
    }

    /// The participant, if it is a `State`.
    func taking<State: TransactionParticipant>(_: State.Type) -> State? { participant as? State }

    /// Notes that the write changes the rules for clicks. The followers of the rules are informed after the commit.
    func addChange(_ change: RuleChange) { ruleChanges.append(change) }

    /// Notes the changes of the rules for clicks that new consent records make.
    func addChanges(_ changes: [ConsentChange], in organization: OrganizationID) {
        if !changes.isEmpty { addChange(.consent(changes, organization)) }
    }

    /// Whether a change since `savepoint` ends recording for any recipient.
    func endsRecording(since savepoint: Savepoint) -> Bool {
        ruleChanges[savepoint.ruleChanges...].contains(where: \.endsRecording)
    }

    /// The end of the feed of rules, if several processes write to the database.
    var feedHead: RuleCursor? {
        get { writerLock?.feedHead }
        set { writerLock?.feedHead = newValue }
    }

    /// The time of what is written now. It is read from the clock inside the transaction, so that times never go back
    /// in the order of the commits.
    /// - Parameter asked: the time of the caller's request; it is used if it is later.
    func time(notBefore asked: Timestamp) -> Timestamp {
        let now = max(clock(), asked, latestOfOthers)
        latest = max(latest, now)
        return now
    }

    /// A new id. It carries `now`, or a later time if all ids of that millisecond are used up.
    /// - Parameter following: how many of the next ids must carry the same time.
    func makeID<ID: EntityID>(_ kind: EntityKind, at now: Timestamp, following: Int = 0) -> ID {
        ID(
            sequences[kind, default: TimeOrderedSequence(slot: slot)].next(
                at: now, following: UInt64(following), using: &random))
    }

    /// The reference of a new recipient. Another recipient may have it, though that is unlikely.
    func makeReference() -> RecipientReference { references.next(using: &random) }

    /// The position of the next interaction; it carries `now`.
    func nextPosition(at now: Timestamp) -> InteractionPosition {
        InteractionPosition(interactionPositions.next(at: now, using: &random))
    }

    /// The position of the next consent request that begins to wait for its confirmation; it carries `now`.
    func nextConfirmationPosition(at now: Timestamp) -> TimeOrderedNumber {
        confirmationPositions.next(at: now, using: &random)
    }

    /// The volume that the next row of a log belongs to.
    func nextVolume(of log: LogVolumes.Log) -> Int64 {
        switch log {
        case .decisions: decisionVolumes.next()
        case .interactions: interactionVolumes.next()
        }
    }

    /// The greatest position of an interaction, which is in the last volume; `nil` if there is none. A position that no
    /// node makes is skipped, because a forged row must not use up the numbers.
    static func greatestPosition(_ db: any SQLConnection) throws -> TimeOrderedNumber? {
        let greatest =
            try db.statement(
                """
                SELECT max(position) FROM interactions INDEXED BY interactions_by_recipient WHERE volume = ? AND position < ?
                """
            ).first(try LogVolumes.last(of: .interactions, db), Int64(TimeOrderedNumber.endOfMade)) {
                $0.optionalInteger(0)
            } ?? nil
        return greatest.flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0)) }
    }

    /// The greatest position that a request has now; `nil` if no request waits. Positions that were given back are
    /// older than the clock's time, so they are not made again.
    private static func greatestConfirmationPosition(_ db: any SQLConnection) throws -> TimeOrderedNumber? {
        let greatest =
            try db.statement("SELECT max(confirmation_place) FROM consent_requests WHERE confirmation_place < ?")
            .first(Int64(TimeOrderedNumber.endOfMade)) { $0.optionalInteger(0) } ?? nil
        return greatest.flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0)) }
    }

    /// The greatest id in `table`; `nil` if it is empty. An id that no node makes is skipped, as for positions.
    static func greatestNumber(in table: String, _ db: any SQLConnection) throws -> TimeOrderedNumber? {
        let greatest =
            try db.statement("SELECT max(id) FROM \(table) WHERE id < ?")
            .first(Int64(TimeOrderedNumber.endOfMade)) { $0.optionalInteger(0) } ?? nil
        return greatest.flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0)) }
    }
}
