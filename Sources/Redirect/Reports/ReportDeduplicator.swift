import Identifiers
import Interactions
import Synchronization

/// Remembers what devices reported in the last minute, so that a report which is sent again, as apps do after a
/// time-out, is acknowledged and not stored twice.
///
/// A repeat that arrives while the first is on its way to the disk waits for what becomes of that one.
final class ReportDeduplicator: Sendable {
    static let window = Duration.seconds(60)

    private struct Key: Hashable {
        let kind: InteractionKind
        let message: MessageID
        let recipient: RecipientReference
        /// Two buttons that are pressed one after the other are two interactions.
        let action: ActionIdentifier?
    }

    private enum Entry {
        case pending([CheckedContinuation<Bool, Never>])
        case stored(Timestamp)
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var lastSweep = Timestamp.distantPast
    }

    /// Guards the entries; held for a look-up, and twice a minute to forget the old ones.
    private let state = Mutex(State())

    /// - Parameter known: what was stored before this process began, with its time.
    init(known: [Occurrence] = []) {
        state.withLock { state in
            for occurrence in known { state.entries[Self.key(of: occurrence)] = .stored(occurrence.occurredAt) }
        }
    }

    /// Stores an occurrence by `store` unless it is a repeat.
    ///
    /// - Parameter store: returns whether the occurrence is durable.
    /// - Returns: whether it is, by this report or by the one it repeats.
    func once(_ occurrence: Occurrence, _ store: () async -> Bool) async -> Bool {
        let key = Self.key(of: occurrence)
        switch begin(key, at: occurrence.occurredAt) {
        case .isRepeat: return true
        case .isPending: return await outcome(of: key)
        case .isNew:
            let isStored = await store()
            end(key, as: isStored ? .stored(occurrence.occurredAt) : nil, isStored: isStored)
            return isStored
        }
    }

    private enum Beginning {
        case isNew
        case isPending
        case isRepeat
    }

    private func begin(_ key: Key, at now: Timestamp) -> Beginning {
        state.withLock { state in
            Self.sweep(&state, at: now)
            switch state.entries[key] {
            case .pending?: return .isPending
            case .stored(let instant)? where now <= instant.advanced(by: Self.window): return .isRepeat
            case .stored?, nil:
                state.entries[key] = .pending([])
                return .isNew
            }
        }
    }

    /// What becomes of a report that is on its way.
    private func outcome(of key: Key) async -> Bool {
        await withCheckedContinuation { continuation in
            let known: Bool? = state.withLock { state in
                switch state.entries[key] {
                case .pending(let waiting)?:
                    state.entries[key] = .pending(waiting + [continuation])
                    return nil
                case .stored?: return true
                case nil: return false
                }
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func end(_ key: Key, as entry: Entry?, isStored: Bool) {
        let waiting: [CheckedContinuation<Bool, Never>] = state.withLock { state in
            defer { state.entries[key] = entry }
            guard case .pending(let waiting)? = state.entries[key] else { return [] }
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: isStored) }
    }

    private static func sweep(_ state: inout State, at now: Timestamp) {
        guard now >= state.lastSweep.advanced(by: window / 2) else { return }
        state.lastSweep = now
        state.entries = state.entries.filter { _, entry in
            guard case .stored(let instant) = entry else { return true }
            return now <= instant.advanced(by: window)
        }
    }

    private static func key(of occurrence: Occurrence) -> Key {
        Key(
            kind: occurrence.kind, message: occurrence.message, recipient: occurrence.recipient,
            action: occurrence.action)
    }
}
