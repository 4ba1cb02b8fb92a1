import Consent
import Cryptography
import Foundation
import GRDB
import Identifiers
import Messages
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteMirror

@Suite struct SQLiteMirrorTests: MirrorSuite {
    let folder: TemporaryFolder
    let acme: OrganizationID

    init() throws {
        folder = try TemporaryFolder()
        acme = try OrganizationID("acme")
    }

    /// What the file says once it is opened again.
    private func written(_ mirror: SQLiteMirror) async throws -> RuleSnapshot? {
        try await mirror.flush(at: .noon)
        try mirror.close()
        let again = try opened()
        defer { try? again.close() }
        return try await again.rules()
    }

    @Test("a new mirror has nothing, and asks for all rules")
    func new() async throws {
        let mirror = try opened()
        #expect(try await mirror.rules() == nil)
        #expect(mirror.needsRules && !mirror.hasRules && !mirror.isComplete)
        mirror.append([.erasure(try reference(1), acme)], upTo: .at(1))
        try await mirror.flush(at: .noon)
        #expect(try await mirror.rules() == nil, "changes alone are not all rules")
    }

    @Test("rules and changes are there after a restart, with the place in the feed and the time")
    func restart() async throws {
        let mirror = try opened()
        mirror.store(try rules(ended: [1, 2], erased: [9]), keepsEnds: false)
        let given = ConsentInForce(
            record: try #require(ConsentRecordID(rawValue: 1)), state: .given, occurredAt: .noon,
            validUntil: .noon.advanced(by: .seconds(60)))
        mirror.append(
            [
                .consent(
                    [
                        ConsentChange(reference: try reference(1), purpose: .tracking, status: .inForce(given)),
                        ConsentChange(reference: try reference(3), purpose: .tracking, status: .nothing),
                    ], acme), .erasure(try reference(4), acme), .privacyControl(isHonored: true, acme),
            ], upTo: .at(8))
        let found = try #require(try await written(mirror))
        #expect(found.cursor == .at(8))
        let organization = try #require(found.organizations.first)
        #expect(organization.organization == acme && organization.honorsGPC && organization.enforcement == .restrictive)
        #expect(
            Set(organization.ends[.purpose(.tracking)] ?? []) == [
                RecordingEnd(reference: try reference(1), end: .noon.advanced(by: .seconds(60))),
                RecordingEnd(reference: try reference(2), end: .distantPast),
                RecordingEnd(reference: try reference(3), end: .distantPast),
            ])
        #expect(Set(organization.erased) == [try reference(9), try reference(4)])
        let again = try opened()
        #expect(again.hasRules && !again.needsRules && again.notedAt == .noon)
    }

    @Test("all rules replace what there was, and after another history they only add")
    func replaced() async throws {
        let mirror = try opened()
        mirror.store(try rules(ended: [1, 2], erased: [9]), keepsEnds: false)
        mirror.store(try rules(ended: [3], at: 20), keepsEnds: true)
        let merged = try #require(try await written(mirror)?.organizations.first)
        #expect(Set(merged.ends[.purpose(.tracking), default: []].map(\.reference.rawValue)) == [1, 2, 3])
        #expect(merged.erased.count == 1)
        let again = try opened()
        again.store(try rules(ended: [4], at: 30), keepsEnds: false)
        let new = try #require(try await written(again)?.organizations.first)
        #expect(new.ends[.purpose(.tracking), default: []].map(\.reference.rawValue) == [4])
        #expect(new.erased == [])
    }

    @Test("after another history, the earlier of two ends of a recipient counts, whichever came last")
    func earlierEnds() async throws {
        func rules(_ first: Timestamp, _ second: Timestamp, at position: UInt64) throws -> RuleSnapshot {
            let ends = [
                RecordingEnd(reference: try reference(1), end: first),
                RecordingEnd(reference: try reference(2), end: second),
            ]
            return RuleSnapshot(
                organizations: [
                    OrganizationRules(
                        organization: acme, enforcement: .restrictive, honorsGPC: false,
                        ends: [.purpose(.tracking): ends], erased: [])
                ], cursor: .at(position))
        }
        let mirror = try opened()
        mirror.store(try rules(.distantPast, .noon, at: 5), keepsEnds: false)
        mirror.store(try rules(.noon, .distantPast, at: 20), keepsEnds: true)
        let merged = try #require(try await written(mirror)?.organizations.first)
        #expect(
            Set(merged.ends[.purpose(.tracking), default: []]) == [
                RecordingEnd(reference: try reference(1), end: .distantPast),
                RecordingEnd(reference: try reference(2), end: .distantPast),
            ])
    }

    @Test("another enforcement comes with all its ends")
    func enforcement() async throws {
        let mirror = try opened()
        mirror.store(try rules(ended: [1, 2]), keepsEnds: false)
        let ends = [RecordingScope.purpose(.tracking): [RecordingEnd(reference: try reference(7), end: .distantPast)]]
        mirror.append([.recording(ends, .nonRestrictive, acme)], upTo: .at(6))
        let found = try #require(try await written(mirror)?.organizations.first)
        #expect(found.enforcement == .nonRestrictive)
        #expect(found.ends == ends)
    }

    @Test("rules that are noted after notes were dropped during a write are written by the next one")
    func droppedDuringWrite() async throws {
        let mirror = try opened()
        mirror.store(try rules(ended: [1]), keepsEnds: false)
        try await mirror.flush(at: .noon)
        mirror.append([.erasure(try reference(2), acme)], upTo: .at(6))
        let tooMany = try (1...1030 as ClosedRange<UInt64>).map { RuleChange.message(try .sample($0)) }
        let new = try rules(ended: [3], at: 8)
        let other = try DatabaseQueue(path: "\(folder.path)/\(SQLiteMirror.fileName)")
        // The write waits for the other connection.
        let write = try await other.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN IMMEDIATE")
            let write = Task.immediate { try await mirror.flush(at: .noon) }
            mirror.append(tooMany, upTo: .at(7))
            mirror.store(new, keepsEnds: false)
            try db.execute(sql: "ROLLBACK")
            return write
        }
        // If it waited too long, the next one writes everything.
        _ = await write.result
        try other.close()
        let found = try #require(try await written(mirror))
        #expect(found.cursor == .at(8))
        let ends = found.organizations.first?.ends[.purpose(.tracking)]
        #expect(ends?.map(\.reference.rawValue) == [3])
    }

    @Test("a message is known once it is noted, and after a restart once it is written")
    func messages() async throws {
        let mirror = try opened()
        mirror.store(try rules(), keepsEnds: false)
        let message = try StoredMessage.sample(1)
        mirror.append([.message(message)], upTo: .at(6))
        #expect(await mirror.message(message.id) == FollowedMessage(message))
        try await mirror.flush(at: .noon)
        #expect(await mirror.message(message.id) == FollowedMessage(message))
        try mirror.close()
        let again = try opened()
        #expect(await again.message(message.id) == FollowedMessage(message))
        #expect(await again.message(try .sample(2)) == nil)
    }

    @Test("all messages are copied, a change that comes meanwhile wins, and then it is whole")
    func copying() async throws {
        let mirror = try opened()
        mirror.store(try rules(), keepsEnds: false)
        try await mirror.flush(at: .noon)
        let feed = FakeFeed(try (1...1200 as ClosedRange<UInt64>).map { try .sample($0) })
        feed.duringNextPage { mirror.append([.message(try! .sample(3, isDisabled: true))], upTo: .at(6)) }
        try await mirror.copyMessages(from: feed)
        #expect(!mirror.isComplete)
        try await mirror.flush(at: .noon)
        #expect(await mirror.message(try .sample(3))?.isDisabled == true)
        while !mirror.isComplete { try await mirror.copyMessages(from: feed) }
        for number in [1, 500, 501, 1200] as [UInt64] { #expect(await mirror.message(try .sample(number)) != nil) }
        try mirror.close()
        #expect(try opened().isComplete)
    }

    @Test("a page that was read before the history was replaced is not taken for a part of the new one")
    func copyingAnotherHistory() async throws {
        let mirror = try opened()
        mirror.store(try rules(), keepsEnds: false)
        try await mirror.flush(at: .noon)
        let feed = FakeFeed([try .sample(1)])
        try await mirror.copyMessages(from: feed)
        let later = try rules(at: 40)
        feed.duringNextPage { mirror.store(later, keepsEnds: true) }
        try await mirror.copyMessages(from: feed)
        try await mirror.flush(at: .noon)
        #expect(!mirror.isComplete)
        while !mirror.isComplete { try await mirror.copyMessages(from: feed) }
        #expect(await mirror.message(try .sample(1)) != nil)
    }

    @Test("where other nodes can be asked is there after a restart")
    func peers() async throws {
        let mirror = try opened()
        mirror.store(peers: ["http://10.0.0.2:8081", "http://10.0.0.3:8081"])
        try await mirror.flush(at: .noon)
        try mirror.close()
        let again = try opened()
        #expect(Set(again.peers) == ["http://10.0.0.2:8081", "http://10.0.0.3:8081"])
        again.store(peers: [])
        try await again.flush(at: .noon)
        try again.close()
        #expect(try opened().peers == [])
    }

    @Test("a file that is damaged, or another program's, is made anew", arguments: ["garbage", ""])
    func damaged(_ content: String) async throws {
        let mirror = try opened()
        mirror.store(try rules(), keepsEnds: false)
        try await mirror.flush(at: .noon)
        try mirror.close()
        let path = "\(folder.path)/\(SQLiteMirror.fileName)"
        try Data(String(repeating: content, count: 1000).utf8).write(to: URL(filePath: path))
        #expect(try await opened().rules() == nil)
    }

    @Test("a message that was written under another secret, or of another id, is not read")
    func sealed() async throws {
        let seal = try MessageSeal(secret)
        let message = FollowedMessage(try .sample(1))
        let sealed = seal.seal(message)
        #expect(seal.open(sealed, of: message.id) == message)
        #expect(seal.open(sealed, of: try .sample(2)) == nil)
        #expect(try MessageSeal(SecretBytes([UInt8](repeating: 8, count: 32))).open(sealed, of: message.id) == nil)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(seal.open(changed, of: message.id) == nil)
        }
    }
}
