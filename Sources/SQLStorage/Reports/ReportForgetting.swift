import Identifiers
import Interactions
import SQL

/// Removes from the counts of reports which recipient was counted. The counts stay, because they name no recipient.
struct ReportForgetting {
    private let db: any SQLConnection
    private var people: [PeopleCounting.Subject: PeopleCounting] = [:]

    init(_ db: any SQLConnection) { self.db = db }

    /// A decision about `recipient` was forgotten. While another one names them, it stays known that they are counted.
    mutating func forgetDecision(about recipient: Int64, in message: MessageID) throws {
        let find = try db.statement(
            """
            SELECT 1 FROM decisions INDEXED BY decisions_by_recipient
            WHERE volume = ? AND recipient = ? AND message = ? LIMIT 1
            """
        )
        for volume in try LogVolumes.all(of: .decisions, db) {
            if try find.first(volume, recipient, message, read: { _ in true }) != nil { return }
        }
        try forgetPerson(recipient, in: message)
    }

    private mutating func forgetPerson(_ recipient: Int64, in message: MessageID) throws {
        for activity in TrackedActivity.allCases {
            let subject = PeopleCounting.Subject(message: message, activity: activity)
            if people[subject] == nil { people[subject] = try PeopleCounting(of: subject, db) }
            try people[subject]?.forget(recipient)
        }
    }

    mutating func finish() throws { for subject in people.keys { try people[subject]?.finish() } }

    /// Forgets an erased recipient under every message. Must be called while decisions and interactions still name
    /// them.
    static func forget(_ recipient: Int64, _ db: any SQLConnection) throws {
        var forgetting = ReportForgetting(db)
        for message in try messages(of: recipient, in: .decisions, db) {
            try forgetting.forgetPerson(recipient, in: message)
        }
        try forgetting.finish()
        var responders = try ResponderTable(db)
        for message in try messages(of: recipient, in: .interactions, db) {
            try responders.add(ResponseSet(), of: recipient, to: message)
        }
        try responders.finish()
    }

    /// Makes recipients count only as having done what their stored interactions still say. Must be called after some
    /// were deleted.
    static func recount(_ deleted: Set<DeletedInteraction>, _ db: any SQLConnection) throws {
        var responders = try ResponderTable(db)
        let find = try db.statement("SELECT reference FROM recipients WHERE number = ?")
        for gone in deleted {
            guard let reference = try find.first(gone.recipient, read: { try $0.reference(0) }) else { continue }
            let left = try PersonHistory(
                of: gone.recipient, named: reference, gone.message, madeAt: .distantFuture, db)
            try responders.keep(left.responses, of: gone.recipient, to: gone.message)
        }
        try responders.finish()
    }

    private static func messages(
        of recipient: Int64, in log: LogVolumes.Log, _ db: any SQLConnection
    ) throws -> Set<MessageID> {
        let find = try db.statement(
            """
            SELECT DISTINCT message FROM \(log.rawValue) INDEXED BY \(log.rawValue)_by_recipient
            WHERE volume = ? AND recipient = ?
            """
        )
        var messages: Set<MessageID> = []
        for volume in try LogVolumes.all(of: log, db) {
            messages.formUnion(try find.all(volume, recipient) { try $0.id(0) })
        }
        return messages
    }
}

/// The message and the recipient of a deleted interaction.
struct DeletedInteraction: Hashable {
    let message: MessageID
    let recipient: Int64
}
