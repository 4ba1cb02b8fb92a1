import Identifiers
import Logging
import Messages
import Organizations
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import Service

/// A damaged mirror, in memory.
private final class DamagedMirror: NodeMirror {
    private let damage = Mutex(true)

    var isDamaged: Bool { damage.withLock { $0 } }
    var needsRules: Bool { isDamaged }
    var isComplete: Bool { !isDamaged }
    let hasRules = false
    let begin: RuleCursor? = nil
    let notedAt = Timestamp.distantPast
    let peers: [String] = []
    let lag = Duration.zero

    func repair() async throws { damage.withLock { $0 = false } }
    func rules() async throws -> RuleSnapshot? { nil }
    func append(_ changes: [RuleChange], upTo cursor: RuleCursor) {}
    func store(_ snapshot: RuleSnapshot, keepsEnds: Bool) {}
    func message(_ id: MessageID) async -> FollowedMessage? { nil }
    func store(peers: [String]) {}
    func check() async throws {}
    func flush(at now: Timestamp) async throws {}
    func copyMessages(from feed: any RuleFeed) async throws {}
}

@Suite struct MirrorServiceTests {
    private let mirror = DamagedMirror()
    private let node = FakeNode()
    private let log = CapturedLog()

    private var service: MirrorService {
        MirrorService(mirror: mirror, feed: node, shared: node, now: { .noon }, logger: log.logger)
    }

    @Test("a damaged mirror stays as it is while the storage is away, and is made anew when it is back")
    func outage() async throws {
        var isTold = false
        for _ in 0..<3 { try await service.repair(&isTold) }
        #expect(mirror.isDamaged)
        #expect(log.levels == [.error], "it is told once")
        node.set(isFresh: true, isAway: false)
        try await service.repair(&isTold)
        #expect(!mirror.isDamaged)
        #expect(log.levels == [.error, .warning])
    }

    @Test("a damaged mirror stays as it is when the storage has gone an instant before")
    func lastInstant() async throws {
        node.set(isFresh: true, isAway: true)
        var isTold = false
        await #expect(throws: Outage.self) { try await service.repair(&isTold) }
        #expect(mirror.isDamaged)
    }
}
