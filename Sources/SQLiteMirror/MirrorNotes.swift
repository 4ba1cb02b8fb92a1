import Identifiers
import Messages
import StoragePorts

/// The notes that are not in the file yet, in order.
struct MirrorNotes {
    enum Note {
        case changes([RuleChange], upTo: RuleCursor)
        case rules(RuleSnapshot, keepsEnds: Bool)
    }

    /// A noted message, and the number of its note.
    private struct Pending {
        let message: FollowedMessage
        let note: Int
    }

    /// If there are more, they are dropped: the file cannot have been written for a long time, and gets all rules again
    /// once it can.
    private static let capacity = 1 << 20

    private(set) var notes: [Note] = []
    private var messages: [MessageID: Pending] = [:]
    /// The number of earlier notes, which are in the file.
    private var written = 0
    private var weight = 0

    mutating func append(_ changes: [RuleChange], upTo cursor: RuleCursor) {
        for case .message(let message) in changes {
            messages[message.id] = Pending(message: FollowedMessage(message), note: written + notes.count)
        }
        weight += changes.reduce(0) { $0 + $1.weight }
        notes.append(.changes(changes, upTo: cursor))
    }

    mutating func append(_ rules: RuleSnapshot, keepsEnds: Bool) {
        notes.append(.rules(rules, keepsEnds: keepsEnds))
    }

    var isTooLong: Bool { weight > Self.capacity }

    func message(_ id: MessageID) -> FollowedMessage? { messages[id]?.message }

    /// Must be called when the first `count` notes are in the file.
    mutating func remove(first count: Int) {
        for case .changes(let changes, _) in notes.prefix(count) { weight -= changes.reduce(0) { $0 + $1.weight } }
        notes.removeFirst(count)
        written += count
        messages = messages.filter { $0.value.note >= written }
    }
}
