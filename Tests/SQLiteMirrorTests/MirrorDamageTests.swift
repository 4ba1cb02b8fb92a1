import Consent
import Cryptography
import Foundation
import GRDB
import Glibc
import Identifiers
import Messages
import StoragePorts
import TestSupport
import Testing

@testable import SQLiteMirror

@Suite struct MirrorDamageTests: MirrorSuite {
    /// The schema makes each table's first page in the order of its statements.
    private static let pageOfMessages = 10

    let folder: TemporaryFolder
    let acme: OrganizationID

    init() throws {
        folder = try TemporaryFolder()
        acme = try OrganizationID("acme")
    }

    /// A closed file with a message, rules and peers.
    private func whole(_ message: StoredMessage) async throws {
        let mirror = try opened()
        mirror.store(try rules(ended: [1, 2], erased: [9]), keepsEnds: false)
        mirror.store(peers: ["http://10.0.0.2:8081"])
        try await mirror.flush(at: .noon)
        while !mirror.isComplete { try await mirror.copyMessages(from: FakeFeed([message])) }
        try mirror.close()
    }

    /// Overwrites a page; the first one has the number 1.
    private func overwrite(page: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: "\(folder.path)/\(SQLiteMirror.fileName)"))
        defer { try? file.close() }
        let size: UInt64 = 4096
        try #require(try file.seekToEnd() >= UInt64(page) * size, "the file has this page")
        try file.seek(toOffset: UInt64(page - 1) * size)
        try file.write(contentsOf: Data(repeating: 0x5A, count: Int(size)))
    }

    private func inode() throws -> UInt {
        var status = stat()
        try #require(stat("\(folder.path)/\(SQLiteMirror.fileName)", &status) == 0)
        return UInt(status.st_ino)
    }

    @Test("a file with a damaged page opens, and is made anew", arguments: 1...10)
    func damagedPage(_ page: Int) async throws {
        let message = try StoredMessage.sample(1)
        try await whole(message)
        try overwrite(page: page)
        let mirror = try opened()
        _ = try await mirror.rules()
        try await mirror.check()
        #expect(mirror.needsRules && !mirror.hasRules && !mirror.isComplete)
        try await mirror.repair()
        #expect(!mirror.isDamaged)
        mirror.store(try rules(ended: [3]), keepsEnds: false)
        mirror.store(peers: ["http://10.0.0.3:8081"])
        try await mirror.flush(at: .noon)
        while !mirror.isComplete { try await mirror.copyMessages(from: FakeFeed([message])) }
        try mirror.close()
        let again = try opened()
        #expect(again.isComplete && again.peers == ["http://10.0.0.3:8081"])
        try await again.check()
        #expect(!again.isDamaged)
        let ends = try await again.rules()?.organizations.first?.ends[.purpose(.tracking)]
        #expect(ends?.map(\.reference.rawValue) == [3])
        #expect(await again.message(message.id) == FollowedMessage(message))
    }

    @Test("damage that a click meets is repaired in the same file, with the rules and peers that are noted meanwhile")
    func damagedWhileRunning() async throws {
        let message = try StoredMessage.sample(1)
        try await whole(message)
        let mirror = try opened()
        let before = try inode()
        try overwrite(page: Self.pageOfMessages)
        #expect(await mirror.message(message.id) == nil)
        #expect(mirror.isDamaged && mirror.needsRules && !mirror.isComplete)
        mirror.store(try rules(ended: [4], at: 9), keepsEnds: false)
        try await mirror.flush(at: .noon)
        try await mirror.copyMessages(from: FakeFeed([message]))
        #expect(mirror.isDamaged && !mirror.isComplete && mirror.lag > .zero, "nothing is written to a damaged file")
        try await mirror.repair()
        #expect(try inode() == before)
        try await mirror.flush(at: .noon)
        while !mirror.isComplete { try await mirror.copyMessages(from: FakeFeed([message])) }
        #expect(await mirror.message(message.id) == FollowedMessage(message))
        try mirror.close()
        let again = try opened()
        #expect(try await again.rules()?.cursor == .at(9))
        #expect(again.peers == ["http://10.0.0.2:8081"])
    }

    @Test("damage that a write meets is noted, and a second repair waits")
    func damagedAgain() async throws {
        let message = try StoredMessage.sample(1)
        try await whole(message)
        let mirror = try opened()
        try overwrite(page: Self.pageOfMessages)
        mirror.append([.message(try .sample(2))], upTo: .at(6))
        try await mirror.flush(at: .noon)
        #expect(mirror.isDamaged && mirror.needsRules)
        try await mirror.repair()
        #expect(!mirror.isDamaged)
        mirror.store(try rules(), keepsEnds: false)
        try await mirror.flush(at: .noon)
        try overwrite(page: Self.pageOfMessages)
        try await mirror.check()
        try await mirror.repair()
        #expect(mirror.isDamaged)
    }

    @Test("a page of messages that was read before the damage is not written to the file that is made anew")
    func damagedWhileCopying() async throws {
        let (known, read) = (try StoredMessage.sample(1), try StoredMessage.sample(2))
        try await whole(known)
        let mirror = try opened()
        let feed = FakeFeed([known, read])
        feed.duringNextPage {
            try self.overwrite(page: Self.pageOfMessages)
            #expect(await mirror.message(known.id) == nil)
            #expect(mirror.isDamaged)
            try await mirror.repair()
            // The mirror asks for all rules, so it does not note this change.
            mirror.append([.message(try .sample(2, isDisabled: true))], upTo: .at(6))
        }
        try await mirror.copyMessages(from: feed)
        #expect(!mirror.isDamaged && !mirror.isComplete)
        #expect(await mirror.message(read.id) == nil, "the page has the message as it was")
    }

    @Test("an intact file that cannot be opened stays, and has everything once it can be opened")
    func unopened() async throws {
        let message = try StoredMessage.sample(1)
        try await whole(message)
        let (path, elsewhere) = ("\(folder.path)/\(SQLiteMirror.fileName)", folder.path(of: "elsewhere"))
        // A link is not followed, so the file is there and cannot be opened.
        try FileManager.default.moveItem(atPath: path, toPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        #expect(throws: (any Error).self) { try opened() }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == elsewhere)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: elsewhere, toPath: path)
        let mirror = try opened()
        #expect(mirror.isComplete && mirror.peers == ["http://10.0.0.2:8081"])
        #expect(await mirror.message(message.id) == FollowedMessage(message))
    }

    @Test("a file of a later version, or of another program, is made anew", arguments: [1_000_000, 0])
    func foreign(_ version: Int) async throws {
        try await whole(try .sample(1))
        let queue = try DatabaseQueue(path: "\(folder.path)/\(SQLiteMirror.fileName)")
        try await queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA user_version = \(version)")
            if version == 0 { try db.execute(sql: "PRAGMA application_id = 7") }
        }
        try queue.close()
        let mirror = try opened()
        #expect(!mirror.hasRules && mirror.begin == nil && mirror.peers.isEmpty)
    }
}
