import Consent
import Cryptography
import Identifiers
import Messages
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import SQLiteMirror

/// Tests of the mirror of a folder.
protocol MirrorSuite {
    var folder: TemporaryFolder { get }
    var acme: OrganizationID { get }
}

extension MirrorSuite {
    var secret: SecretBytes { SecretBytes([UInt8](repeating: 7, count: 32)) }

    func opened() throws -> SQLiteMirror { try SQLiteMirror(folder: folder.path, secret: secret) }

    func reference(_ number: UInt64) throws -> RecipientReference {
        try #require(RecipientReference(rawValue: number))
    }

    func rules(ended: [UInt64] = [], erased: [UInt64] = [], at position: UInt64 = 5) throws -> RuleSnapshot {
        let ends = try ended.map { RecordingEnd(reference: try reference($0), end: .distantPast) }
        return RuleSnapshot(
            organizations: [
                OrganizationRules(
                    organization: acme, enforcement: .restrictive, honorsGPC: false,
                    ends: ends.isEmpty ? [:] : [.purpose(.tracking): ends], erased: try erased.map(reference))
            ], cursor: .at(position))
    }
}

/// All messages of a storage; can be held while a page is being read.
final class FakeFeed: RuleFeed {
    private let messages: [StoredMessage]
    private let duringPage = Mutex<(@Sendable () async throws -> Void)?>(nil)

    init(_ messages: [StoredMessage]) { self.messages = messages.sorted { $0.id.rawValue < $1.id.rawValue } }

    /// Is called after a page was read, and before it is returned.
    func duringNextPage(_ body: @escaping @Sendable () async throws -> Void) { duringPage.withLock { $0 = body } }

    func poll(after cursor: RuleCursor) async throws -> RulePage { .changes([], next: cursor) }

    func snapshot() async throws -> RuleSnapshot { RuleSnapshot(organizations: [], cursor: .at(0)) }

    func messages(after id: MessageID?, limit: Int) async throws -> MessagePage {
        let page = messages.filter { $0.id.rawValue > id?.rawValue ?? 0 }.prefix(limit)
        try await duringPage.withLock { $0.take() }?()
        return MessagePage(messages: Array(page), last: page.last?.id)
    }
}

extension RuleCursor {
    static func at(_ position: UInt64) -> RuleCursor { RuleCursor(position: position, mark: 3) }
}

extension MessageID {
    static func sample(_ number: UInt64) throws -> MessageID {
        try #require(MessageID(rawValue: number))
    }
}

extension StoredMessage {
    static func sample(_ number: UInt64, isDisabled: Bool = false) throws -> StoredMessage {
        var content = Message(name: "n\(number)")
        content.link = Message.Link(target: try TargetURL(stored: "https://shop.example/\(number)"), isDeepLink: false)
        return StoredMessage(
            id: try .sample(number), organization: try OrganizationID("acme"), content: content, createdAt: .noon,
            isDisabled: isDisabled)
    }
}
