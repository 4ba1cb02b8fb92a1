import Cryptography
import Identifiers
import Interactions
import Organizations
import SQL

/// What a write works with: the connection inside its transaction, and what must be made one after the other, such as
/// ids.
///
/// There is one, and it lives on the writer's thread. Ids that a write made before it failed are not made again.
final class WriteContext {
    /// Of the present transaction.
    private(set) var db: any SQLConnection
    var random = BufferedRandom()
    let participant: any TransactionParticipant
    var leases = JobLeases()
    private let clock: @Sendable () -> Timestamp
    private var sequences: [EntityKind: TimeOrderedSequence] = [:]
    private var decisionVolumes: LogVolumes
    private var interactionVolumes: LogVolumes
    private var interactionPositions: TimeOrderedSequence
    private var confirmationPlaces: TimeOrderedSequence

    /// The kinds of rows whose ids are made here, all with the slot of the one node that an embedded storage has. (An
    /// interaction gets its id in the spool.)
    enum EntityKind: String, CaseIterable {
        case accessKeys = "access_keys"
        case messages
        case consents
        case decisions
        case consentRequests = "consent_requests"
    }

    /// - Parameter clock: never goes back.
    init(
        _ db: any SQLConnection, participant: any TransactionParticipant, clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.db = db
        self.clock = clock
        self.participant = participant
        decisionVolumes = try LogVolumes(of: .decisions, db)
        interactionVolumes = try LogVolumes(of: .interactions, db)
        interactionPositions = TimeOrderedSequence(slot: .single, after: try Self.greatestPosition(db))
        confirmationPlaces = TimeOrderedSequence(slot: .single, after: try Self.greatestConfirmationPlace(db))
        for kind in EntityKind.allCases {
            sequences[kind] = TimeOrderedSequence(slot: .single, after: try Self.greatestNumber(in: kind.rawValue, db))
        }
    }

    /// A transaction begins, on this connection. It may be the one before once more: what that did in memory is undone.
    func begin(on db: any SQLConnection) {
        participant.undo(to: 0)
        self.db = db
    }

    /// The time of what is written now, read from the clock inside the transaction: in the order of the commits, times
    /// never go back.
    /// - Parameter asked: when the write was asked for; this time is used when it is later.
    func time(notBefore asked: Timestamp) -> Timestamp { max(clock(), asked) }

    /// A new id; it carries `now`, or a later time when more were made in its millisecond than there are.
    /// - Parameter following: how many ids that are made next must carry the same time.
    func makeID<ID: EntityID>(_ kind: EntityKind, at now: Timestamp, following: Int = 0) -> ID {
        ID(
            sequences[kind, default: TimeOrderedSequence(slot: .single)].next(
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
            ).first(try LogVolumes.all(of: .interactions, db).upperBound, Int64(TimeOrderedNumber.endOfMade)) {
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
