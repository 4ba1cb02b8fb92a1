package import Cryptography
package import Identifiers
package import Messages
import SQL
package import StoragePorts
import Synchronization

/// The mirror in a file of its own.
///
/// Notes are in memory at once, and in the file after the next ``flush(at:)``. If the process is killed in between, the
/// next one starts with the content of the file, and gets the rest from the feed.
///
/// A file that is damaged when it is opened, or has a later version, is made anew at once. A file that turns out to be
/// damaged later is read as far as possible, and no longer written to, until ``repair()`` makes it anew.
package final class SQLiteMirror: NodeMirror {
    package static let fileName = "mirror.db"
    private static let pageLength = 500
    /// The least time between two repairs. Each costs the storage a reading of all rules and messages, and does not help
    /// if the disk fails.
    private static let repairInterval = Duration.seconds(60)

    private struct State {
        var notes = MirrorNotes()
        var copied: MessageID?
        var isComplete = false
        /// Whether all rules must be noted: there are none, an earlier version wrote less of them, or not all changes
        /// could be kept.
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
        var isDamaged = false
        var repairedAt: ContinuousClock.Instant?

        /// Drops the notes, which belong to the content of the file, so that all rules are noted again.
        /// - Parameter repairedAt: the last repair when the file was used; a file from before that is gone.
        mutating func recordDamage(of repairedAt: ContinuousClock.Instant?) {
            guard !isDamaged, self.repairedAt == repairedAt else { return }
            isDamaged = true
            dropNotes()
            copied = nil
            lacksSince = lacksSince ?? .now
            // A page that is being read now is not written any more.
            generation += 1
        }

        mutating func dropNotes() {
            notes = MirrorNotes()
            drops += 1
            needsRules = true
            isComplete = false
        }

        mutating func recordRepair() {
            isDamaged = false
            repairedAt = .now
            hasNewPeers = !peers.isEmpty
        }

        /// Must be called after a write that began at `instant`.
        mutating func recordLack(since instant: ContinuousClock.Instant) {
            if needsRules || !isComplete { return }
            lacksSince = notes.notes.isEmpty ? nil : instant
        }
    }

    private let file: MirrorFile
    /// Whether the file had all rules when it was opened.
    private let hadRules: Bool
    private let seal: MessageSeal
    private let state: Mutex<State>
    package let notedAt: Timestamp
    package let begin: RuleCursor?

    /// Opens the file of a folder, and makes it if there is none. Only one process at a time may have it open. Blocks
    /// the thread.
    /// - Parameter secret: the secret of the folder; must always be the same.
    /// - Throws: ``StorageError`` if the file cannot be opened although its content may be sound.
    package init(folder: String, secret: SecretBytes) throws {
        seal = try MessageSeal(secret)
        let (file, start) = try MirrorFile.opened("\(folder)/\(Self.fileName)")
        let reach = start.reach
        self.file = file
        notedAt = reach?.notedAt ?? .distantPast
        begin = reach?.cursor
        hadRules = reach != nil
        let needsRules = reach?.lacksRules ?? true
        state = Mutex(
            State(
                copied: reach?.copied, isComplete: reach?.isComplete ?? false, needsRules: needsRules,
                peers: start.peers,
                lacksSince: reach?.isComplete ?? false && !needsRules ? nil : .now))
    }

    package var peers: [String] { state.withLock { $0.peers } }

    package func store(peers: [String]) {
        state.withLock { state in
            guard Set(state.peers) != Set(peers) else { return }
            state.peers = peers
            state.hasNewPeers = true
        }
    }

    package var isComplete: Bool { state.withLock { $0.isComplete && !$0.needsRules } }

    package var hasRules: Bool { hadRules && state.withLock { !$0.needsRules || $0.drops == 0 } }

    package var isDamaged: Bool { state.withLock { $0.isDamaged } }

    package var needsRules: Bool { state.withLock { $0.needsRules } }

    package var lag: Duration { state.withLock { $0.lacksSince.map { .now - $0 } ?? .zero } }

    package func rules() async throws -> RuleSnapshot? {
        var rules: RuleSnapshot?
        do {
            _ = try await usingFile {
                rules = try await file.read { tables in try tables.reach().map { try tables.rules(at: $0.cursor) } }
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            // The storage has them, too.
            state.withLock { $0.dropNotes() }
        }
        return rules
    }

    package func append(_ changes: [RuleChange], upTo cursor: RuleCursor) {
        state.withLock { state in
            guard !state.needsRules else { return }
            state.notes.append(changes, upTo: cursor)
            state.lacksSince = state.lacksSince ?? .now
            for case .message(let message) in changes { state.touched?.insert(message.id) }
            guard state.notes.isTooLong else { return }
            state.dropNotes()
        }
    }

    package func store(_ snapshot: RuleSnapshot, keepsEnds: Bool) {
        state.withLock { state in
            state.notes.append(snapshot, keepsEnds: keepsEnds)
            state.lacksSince = state.lacksSince ?? .now
            state.needsRules = false
            state.isComplete = false
            state.copied = nil
            // Messages that are being read now may be of another history.
            state.generation += 1
        }
    }

    package func message(_ id: MessageID) async -> FollowedMessage? {
        if let noted = state.withLock({ $0.notes.message(id) }) { return noted }
        var found: FollowedMessage?
        _ = try? await usingFile {
            guard let content = try await file.read({ tables in try tables.message(id) }) else { return }
            guard let message = seal.open(content, of: id) else { throw StorageError.unreadable }
            found = message
        }
        return found
    }

    package func flush(at now: Timestamp) async throws {
        let began = ContinuousClock.now
        let (notes, drops, peers, isDamaged) = state.withLock { state in
            (state.notes.notes, state.drops, state.hasNewPeers ? state.peers : nil, state.isDamaged)
        }
        guard !isDamaged, !notes.isEmpty || peers != nil else { return }
        let isWritten = try await write { [seal] tables in
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
        guard isWritten else { return }
        state.withLock { state in
            if let peers, state.peers == peers { state.hasNewPeers = false }
            if state.drops == drops { state.notes.remove(first: notes.count) }
            state.recordLack(since: began)
        }
    }

    package func copyMessages(from feed: any RuleFeed) async throws {
        let (after, generation, isDamaged) = state.withLock { state in
            state.touched = []
            return (state.copied, state.generation, state.isDamaged)
        }
        guard !isDamaged else { return }
        let page = try await feed.messages(after: after, limit: Self.pageLength)
        let touched = state.withLock { state in
            defer { state.touched = nil }
            return state.generation == generation ? state.touched : nil
        }
        guard let touched else { return }
        let last = page.last ?? after
        let isWritten = try await write { [seal] tables in
            for message in page.messages where !touched.contains(message.id) {
                try tables.put(seal.seal(FollowedMessage(message)), of: message.id)
            }
            try tables.setCopied(through: last, isComplete: page.last == nil)
        }
        guard isWritten else { return }
        state.withLock { state in
            guard state.generation == generation else { return }
            state.copied = last
            state.isComplete = page.last == nil
            state.recordLack(since: .now)
        }
    }

    package func check() async throws { _ = try await usingFile { try await file.check() } }

    package func repair() async throws {
        let isDue = state.withLock { state in
            state.isDamaged && state.repairedAt.map { .now - $0 >= Self.repairInterval } ?? true
        }
        guard isDue else { return }
        try await file.remake()
        state.withLock { $0.recordRepair() }
    }

    private func write(_ body: @escaping @Sendable (MirrorTables) throws -> Void) async throws -> Bool {
        try await usingFile { try await file.write(body) }
    }

    /// Notes an error that means that the file is damaged, and throws any other one.
    /// - Returns: whether there was no error.
    private func usingFile(_ body: () async throws -> Void) async throws -> Bool {
        let repairedAt = state.withLock { $0.repairedAt }
        do {
            try await body()
            return true
        } catch {
            guard MirrorFile.isDamage(error) else { throw error }
            state.withLock { $0.recordDamage(of: repairedAt) }
            return false
        }
    }

    /// Makes the log's files stay when the mirror is closed; see ``MirrorFile/keepLog()``. Blocks the thread.
    package func keepLog() throws { try file.keepLog() }

    /// Blocks the thread.
    package func close() throws { try file.close() }
}
