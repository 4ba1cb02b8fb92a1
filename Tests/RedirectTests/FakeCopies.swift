import Identifiers
import Messages
import StoragePorts
import Synchronization

@testable import Redirect

/// A mirror in memory.
final class FakeMirror: RuleMirror {
    private struct State {
        var messages: [MessageID: FollowedMessage] = [:]
        var isComplete = false
        var needsRules = false
        var rules: RuleSnapshot?
        var noted: [String] = []
        var duringRead: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    init(rules: RuleSnapshot? = nil) { state.withLock { $0.rules = rules } }

    var isComplete: Bool {
        get { state.withLock { $0.isComplete } }
        set { state.withLock { $0.isComplete = newValue } }
    }
    var needsRules: Bool {
        get { state.withLock { $0.needsRules } }
        set { state.withLock { $0.needsRules = newValue } }
    }
    /// What it was told, in words.
    var noted: [String] { state.withLock { $0.noted } }

    func put(_ message: StoredMessage) { state.withLock { $0.messages[message.id] = FollowedMessage(message) } }

    func duringNextRead(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.duringRead = body } }

    func rules() async throws -> RuleSnapshot? { state.withLock { $0.rules } }

    func append(_ changes: [RuleChange], upTo cursor: RuleCursor) {
        state.withLock { $0.noted.append("\(changes.count) up to \(cursor.position)") }
    }

    func store(_ snapshot: RuleSnapshot, keepsEnds: Bool) {
        state.withLock { state in
            state.noted.append("all\(keepsEnds ? ", ends kept" : "")")
            state.needsRules = false
        }
    }

    func message(_ id: MessageID) async -> FollowedMessage? {
        let (message, body) = state.withLock { ($0.messages[id], $0.duringRead.take()) }
        body?()
        return message
    }
}

/// Other nodes, which know some messages.
final class FakePeers: LinkPeers {
    private let messages = Mutex<[MessageID: FollowedMessage]>([:])

    func put(_ message: StoredMessage) { messages.withLock { $0[message.id] = FollowedMessage(message) } }

    func message(_ id: MessageID, having link: LinkIndex) async -> FollowedMessage? {
        messages.withLock { $0[id] }.flatMap { link == .message || $0.targets[link] != nil ? $0 : nil }
    }
}

extension MessageLink {
    /// A link that rewriting found.
    static func added(_ index: UInt16) throws -> MessageLink {
        MessageLink(
            index: LinkIndex(rawValue: index), target: try TargetURL(stored: "https://shop.example/\(index)"),
            location: "html", label: nil, isTracked: true)
    }
}

extension LinkDirectory {
    /// Tells of a message as the store would.
    func update(_ message: StoredMessage) { table.messageChanged(message) }
}

extension LinkedMessage {
    convenience init(_ message: StoredMessage, rules: RecordingRules) {
        self.init(FollowedMessage(message), rules: rules)
    }
}
