package import Cryptography
import Foundation
import GRDB
package import Identifiers
package import Messages
package import Organizations
import SQL
import SQLiteFiles
import Synchronization

/// The mirror in a file of its own.
///
/// Notes are in memory at once, and in the file after the next ``flush(at:)``. If the process is killed in between, the
/// next one starts with the content of the file, and gets the rest from the feed. A file that cannot be read, or has
/// another version, is made anew.
package final class SQLiteMirror: NodeMirror {
    package static let fileName = "mirror.db"
    private static let limits = DatabaseFile.Limits(checkpointPages: 1000, readers: 4, cacheKibibytes: 8 * 1024)
    private static let pageLength = 500

    private struct State {
        var notes = MirrorNotes()
        var copied: MessageID?
        var isWhole = false
        /// Whether all rules must be noted, because there are none or not all changes could be kept.
        var needsRules = true
        var peers: [String] = []
        var hasNewPeers = false
        /// Since when the file lacks a note; `nil` if it lacks none.
        var lacksSince: ContinuousClock.Instant?
        /// Grows when the history is replaced.
        var generation = 0
        /// Grows when notes are dropped.
        var drops = 0
        /// The messages that changed while messages are read from the storage; `nil` if none are being read.
        var touched: Set<MessageID>?

        /// Must be called after a write that began at `instant`.
        mutating func noteLack(since instant: ContinuousClock.Instant) {
            if needsRules || !isWhole { return }
            lacksSince = notes.notes.isEmpty ? nil : instant
        }
    }

    private let file: DatabaseFile
    private let seal: MessageSeal
    private let state: Mutex<State>
    package let notedAt: Timestamp
    package let begin: RuleCursor?
    package let hasRules: Bool

    /// Opens the file of a folder, and makes it if there is none. Only one process at a time may have it open. Blocks
    /// the thread.
    /// - Parameter secret: the secret of the folder; must always be the same.
    package init(folder: String, secret: SecretBytes) throws {
        seal = try MessageSeal(secret)
        let path = "\(folder)/\(Self.fileName)"
        let (file, reach) = try Self.opened(path)
        let peers = try file.writer.read { db in try MirrorTables(db: db).peers() }
        self.file = file
        notedAt = reach?.notedAt ?? .distantPast
        begin = reach?.cursor
        hasRules = reach != nil
        state = Mutex(
            State(
                copied: reach?.copied, isWhole: reach?.isWhole ?? false, needsRules: reach == nil, peers: peers,
                lacksSince: reach?.isWhole ?? false ? nil : .now))
    }

    private static func opened(_ path: String) throws -> (DatabaseFile, MirrorTables.Reach?) {
        do {
            return try open(path)
        } catch StorageError.full {
            // The file may be intact.
            throw StorageError.full
        } catch {
            // The file is only a copy, so its fault need not be reported.
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
            return try open(path)
        }
    }

    private static func open(_ path: String) throws -> (DatabaseFile, MirrorTables.Reach?) {
        let file = try DatabaseFile(path: path, schema: .mirror, limits: limits)
        return (file, try file.writer.read { db in try MirrorTables(db: db).reach() })
    }

    package var peers: [String] { state.withLock { $0.peers } }

    package func note(peers: [String]) {
        state.withLock { state in
            guard Set(state.peers) != Set(peers) else { return }
            state.peers = peers
            state.hasNewPeers = true
        }
    }

    package var isWhole: Bool { state.withLock { $0.isWhole && !$0.needsRules } }

    package var needsRules: Bool { state.withLock { $0.needsRules } }

    package var lag: Duration { state.withLock { $0.lacksSince.map { .now - $0 } ?? .zero } }

    package func rules() async throws -> RuleSnapshot? {
        do {
            return try await file.readers.read { db in
                let tables = MirrorTables(db: db)
                return try tables.reach().map { try tables.rules(at: $0.cursor) }
            }
        } catch StorageError.unreadable {
            state.withLock { $0.needsRules = true }
            return nil
        }
    }

    package func note(_ changes: [RuleChange], upTo cursor: RuleCursor) {
        state.withLock { state in
            guard !state.needsRules else { return }
            state.notes.append(changes, upTo: cursor)
            state.lacksSince = state.lacksSince ?? .now
            for case .message(let message) in changes { state.touched?.insert(message.id) }
            guard state.notes.isTooLong else { return }
            state.notes = MirrorNotes()
            state.drops += 1
            state.needsRules = true
            state.isWhole = false
        }
    }

    package func note(_ snapshot: RuleSnapshot, keepsEnds: Bool) {
        state.withLock { state in
            state.notes.append(snapshot, keepsEnds: keepsEnds)
            state.lacksSince = state.lacksSince ?? .now
            state.needsRules = false
            state.isWhole = false
            state.copied = nil
            // Messages that are being read now may be of another history.
            state.generation += 1
        }
    }

    package func message(_ id: MessageID) async -> FollowedMessage? {
        if let noted = state.withLock({ $0.notes.message(id) }) { return noted }
        let content = try? await file.readers.read { db in try MirrorTables(db: db).message(id) }
        return content.flatMap { $0 }.flatMap { seal.open($0, of: id) }
    }

    package func flush(at now: Timestamp) async throws {
        let began = ContinuousClock.now
        let (notes, drops, peers) = state.withLock { state in
            (state.notes.notes, state.drops, state.hasNewPeers ? state.peers : nil)
        }
        guard !notes.isEmpty || peers != nil else { return }
        try await write { [seal] tables in
            for note in notes {
                switch note {
                case .changes(let changes, let cursor):
                    for change in changes { try tables.apply(change, seal) }
                    try tables.setCursor(cursor)
                case .rules(let rules, let keepsEnds): try tables.replaceRules(by: rules, keepsEnds: keepsEnds)
                }
            }
            if let peers { try tables.replacePeers(by: peers) }
            try tables.setTime(now)
        }
        state.withLock { state in
            if let peers, state.peers == peers { state.hasNewPeers = false }
            if state.drops == drops { state.notes.remove(first: notes.count) }
            state.noteLack(since: began)
        }
    }

    package func copyMessages(from feed: any RuleFeed) async throws {
        let (after, generation) = state.withLock { state in
            state.touched = []
            return (state.copied, state.generation)
        }
        let page = try await feed.messages(after: after, limit: Self.pageLength)
        let touched = state.withLock { state in
            defer { state.touched = nil }
            return state.generation == generation ? state.touched : nil
        }
        guard let touched else { return }
        let last = page.last ?? after
        try await write { [seal] tables in
            for message in page.messages where !touched.contains(message.id) {
                try tables.put(seal.seal(FollowedMessage(message)), of: message.id)
            }
            try tables.setCopied(through: last, isWhole: page.last == nil)
        }
        state.withLock { state in
            guard state.generation == generation else { return }
            state.copied = last
            state.isWhole = page.last == nil
            state.noteLack(since: .now)
        }
    }

    private func write(_ body: @escaping @Sendable (MirrorTables) throws -> Void) async throws {
        try await file.writer.writeWithoutTransaction { [file] db in
            try file.transaction(db) { try body(MirrorTables(db: db)) }
            file.checkpointIfLong(db)
        }
    }

    /// Makes the log's files stay when the mirror is closed; see ``DatabaseFile/keepLog()``. Blocks the thread.
    package func keepLog() throws { try file.keepLog() }

    /// Blocks the thread.
    package func close() throws { try file.close() }
}
