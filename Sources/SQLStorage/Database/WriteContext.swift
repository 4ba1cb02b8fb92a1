import Consent
import Cryptography
import Identifiers
import Interactions
import Organizations
import SQL

/// What a write works with: the connection inside its transaction, and what must be made one after the other, such as
/// ids.
///
/// There is one, and it lives on the writer's thread. Ids that a write made before it failed are not made again.
final class WriteContext: RulePlace {
    /// Of the present transaction.
    private(set) var db: any SQLConnection
    var random = BufferedRandom()
    private let participant: any TransactionParticipant
    private let rules: any RuleChangeLog
    /// Of the node.
    private let slot: NodeSlot
    var leases = JobLeases()
    /// What the present transaction changes of the rules, in order.
    private var ruleChanges: [RuleChange] = []
    /// `nil` where one process alone has the database open.
    private var turn: WriterTurn?
    private let clock: @Sendable () -> Timestamp
    /// The latest time that anything here was written at.
    private var latest = Timestamp.distantPast
    /// The same of other writers since this one began; their clocks may be ahead of this one's.
    private var latestOfOthers = Timestamp.distantPast
    private var sequences: [EntityKind: TimeOrderedSequence] = [:]
    private var decisionVolumes: LogVolumes
    private var interactionVolumes: LogVolumes
    private var interactionPositions: TimeOrderedSequence
    private var confirmationPlaces: TimeOrderedSequence

    /// The kinds of rows whose ids are made here, all with the slot of the node. (An interaction gets its id in the spool.)
    enum EntityKind: String, CaseIterable {
        case accessKeys = "access_keys"
        case messages
        case consents
        case decisions
        case consentRequests = "consent_requests"
        case endpoints
        case accesses
    }

    /// - Parameter clock: never goes back.
    init(
        _ db: any SQLConnection, slot: NodeSlot, participant: any TransactionParticipant, rules: any RuleChangeLog,
        clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.db = db
        self.slot = slot
        self.clock = clock
        self.participant = participant
        self.rules = rules
        turn = db.dialect.hasSeveralWriters ? WriterTurn() : nil
        decisionVolumes = try LogVolumes(of: .decisions, db)
        interactionVolumes = try LogVolumes(of: .interactions, db)
        interactionPositions = TimeOrderedSequence(slot: slot, after: try Self.greatestPosition(db))
        confirmationPlaces = TimeOrderedSequence(slot: slot, after: try Self.greatestConfirmationPlace(db))
        for kind in EntityKind.allCases {
            sequences[kind] = TimeOrderedSequence(slot: slot, after: try Self.greatestNumber(in: kind.rawValue, db))
        }
    }

    /// A transaction begins, on this connection. It may be the one before once more: what that did in memory is undone.
    ///
    /// Where several processes write, it waits for its turn, and learns what the others wrote meanwhile.
    func begin(on db: any SQLConnection) throws {
        undo(to: .beginning)
        self.db = db
        guard let others = try turn?.begin(db) else { return }
        participant.forget()
        let greatest = others.latest.flatMap { TimeOrderedNumber(rawValue: $0) }
        if others.areThere, let greatest { latestOfOthers = max(latestOfOthers, greatest.timestamp) }
        for kind in EntityKind.allCases { sequences[kind]?.follow(greatest) }
        interactionPositions.follow(greatest)
        confirmationPlaces.follow(greatest)
    }

    /// The last thing that a transaction does before its commit.
    func finish() throws {
        try participant.finish(db)
        try rules.enter(ruleChanges, self)
        let made = (sequences.values + [interactionPositions, confirmationPlaces]).compactMap(\.greatest).max()
        try turn?.end(latest: max(made?.rawValue ?? 0, TimeOrderedNumber.lowerBound(at: latest)), db)
    }

    /// The transaction is durable, and no caller has been told so yet.
    func didCommit() {
        participant.didCommit()
        rules.didCommit()
        ruleChanges = []
    }

    /// What is in memory of the rows is read again at the next turn.
    func readAnew() { turn?.doubt() }

    /// How much of the present transaction can be undone.
    struct Mark {
        static let beginning = Mark(participant: 0, ruleChanges: 0)

        fileprivate let participant: Int
        fileprivate let ruleChanges: Int
    }

    var mark: Mark { Mark(participant: participant.mark, ruleChanges: ruleChanges.count) }

    /// Undoes in memory what was done since `mark`.
    func undo(to mark: Mark) {
        participant.undo(to: mark.participant)
        ruleChanges.removeSubrange(mark.ruleChanges...)
    }

    /// Whatever takes part as `State`.
    func taking<State: TransactionParticipant>(_: State.Type) -> State? { participant as? State }

    /// The write changes what a click must know. Whoever follows the rules is told after the commit.
    func note(_ change: RuleChange) { ruleChanges.append(change) }

    /// The same, for what consents changed.
    func note(_ changes: [ConsentChange], in organization: OrganizationID) {
        if !changes.isEmpty { note(.consent(changes, organization)) }
    }

    /// Whether what was noted since `mark` ends recording for anybody.
    func endsRecording(since mark: Mark) -> Bool { ruleChanges[mark.ruleChanges...].contains(where: \.endsRecording) }

    /// Where the feed of rules ends, for a database that several processes write to.
    var feedHead: RuleCursor? {
        get { turn?.feedHead }
        set { turn?.feedHead = newValue }
    }

    /// The time of what is written now, read from the clock inside the transaction: in the order of the commits, times
    /// never go back.
    /// - Parameter asked: when the write was asked for; this time is used when it is later.
    func time(notBefore asked: Timestamp) -> Timestamp {
        let now = max(clock(), asked, latestOfOthers)
        latest = max(latest, now)
        return now
    }

    /// A new id; it carries `now`, or a later time when more were made in its millisecond than there are.
    /// - Parameter following: how many ids that are made next must carry the same time.
    func makeID<ID: EntityID>(_ kind: EntityKind, at now: Timestamp, following: Int = 0) -> ID {
        ID(
            sequences[kind, default: TimeOrderedSequence(slot: slot)].next(
                at: now, following: UInt64(following), using: &random))
    }

    /// The position of the next interaction; it carries `now`.
    func nextPosition(at now: Timestamp) -> InteractionPosition {
        InteractionPosition(interactionPositions.next(at: now, using: &random))
    }

    /// The place of the next consent request that comes to wait for its confirmation; it carries `now`.
    func nextConfirmationPlace(at now: Timestamp) -> TimeOrderedNumber {
        confirmationPlaces.next(at: now, using: &random)
    }

    /// The volume that the next row of a log belongs to.
    func nextVolume(of log: LogVolumes.Log) -> Int64 {
        switch log {
        case .decisions: decisionVolumes.next()
        case .interactions: interactionVolumes.next()
        }
    }

    /// The greatest position of an interaction, which is in the last volume; `nil` when there is none. One that no node
    /// makes is passed over: a forged row must not use up the numbers.
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

    /// The greatest place that a request has now; `nil` when none waits. Places that were given back are older than the
    /// clock's time, so they are not made again.
    private static func greatestConfirmationPlace(_ db: any SQLConnection) throws -> TimeOrderedNumber? {
        let greatest =
            try db.statement("SELECT max(confirmation_place) FROM consent_requests WHERE confirmation_place < ?")
            .first(Int64(TimeOrderedNumber.endOfMade)) { $0.optionalInteger(0) } ?? nil
        return greatest.flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0)) }
    }

    /// The greatest id in `table`, `nil` when it is empty. One that no node makes is passed over, as of positions.
    static func greatestNumber(in table: String, _ db: any SQLConnection) throws -> TimeOrderedNumber? {
        let greatest =
            try db.statement("SELECT max(id) FROM \(table) WHERE id < ?")
            .first(Int64(TimeOrderedNumber.endOfMade)) { $0.optionalInteger(0) } ?? nil
        return greatest.flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0)) }
    }
}
