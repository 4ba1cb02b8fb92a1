import Identifiers
package import Interactions
import Synchronization

/// Remembers what devices reported in the last minute, so that a report which is sent again, as apps do after a
/// time-out, is acknowledged and not stored twice.
///
/// A repeat that arrives while the first report is being written waits for the outcome of the first.
package final class ReportDeduplicator: Sendable {
    package static let window = Duration.seconds(60)

    fileprivate struct Key: Hashable {
        /// The code of the occurrence's kind.
        let code: UInt8
        let message: MessageID
        let recipient: RecipientReference
        /// Two different buttons that are pressed one after the other are two interactions.
        let action: ActionIdentifier?

        init(_ occurrence: Occurrence) {
            code = occurrence.kind.code
            message = occurrence.message
            recipient = occurrence.recipient
            action = occurrence.action
        }
    }

    /// Called with whether the first report was stored.
    package typealias Waiter = @Sendable (_ isStored: Bool) -> Void

    package enum Beginning: Sendable {
        /// The caller must store it, and then call ``end(_:isStored:)``.
        case isNew
        /// An equal one is on its way to the disk; see ``whenStored(_:_:)``.
        case isPending
        /// An equal one is stored.
        case isRepeat
    }

    /// A recipient's reports are in one shard, so that no event loop waits while all entries are looked through, or a
    /// table grows.
    private let shards = (0..<64).map { Shard(number: $0, of: 64) }

    package init() {}

    /// Notes what was stored before this process began, in any order; of equal ones, the latest time counts. Must be
    /// called before the first report arrives.
    package func remember(_ known: [Occurrence]) {
        for occurrence in known { shard(of: occurrence).remember(Key(occurrence), at: occurrence.occurredAt) }
    }

    /// A report has arrived. The first of several equal ones is new.
    package func begin(_ occurrence: Occurrence) -> Beginning {
        shard(of: occurrence).begin(Key(occurrence), at: occurrence.occurredAt)
    }

    /// Whether a report that was pending is stored now.
    /// - Returns: `nil` if it is still pending: then `waiter` is called once, on any thread.
    package func whenStored(_ occurrence: Occurrence, _ waiter: @escaping Waiter) -> Bool? {
        shard(of: occurrence).whenStored(Key(occurrence), waiter)
    }

    /// Sets the outcome of a report that was new.
    package func end(_ occurrence: Occurrence, isStored: Bool) {
        for waiter in shard(of: occurrence).end(Key(occurrence), at: isStored ? occurrence.occurredAt : nil) {
            waiter(isStored)
        }
    }

    /// Forgets reports that were acknowledged and are not recorded, because their recipient's tracking had ended: the
    /// next equal one is new.
    package func forget(_ dropped: [Occurrence]) {
        for occurrence in dropped { shard(of: occurrence).forget(Key(occurrence), of: occurrence.occurredAt) }
    }

    /// Stores an occurrence by `store` unless it is a repeat.
    ///
    /// - Parameter store: returns whether the occurrence is durable.
    /// - Returns: whether it is durable, by this report or by the one that it repeats.
    package func once(_ occurrence: Occurrence, _ store: () async -> Bool) async -> Bool {
        switch begin(occurrence) {
        case .isRepeat: return true
        case .isPending:
            return await withCheckedContinuation { continuation in
                let known = whenStored(occurrence) { continuation.resume(returning: $0) }
                if let known { continuation.resume(returning: known) }
            }
        case .isNew:
            let isStored = await store()
            end(occurrence, isStored: isStored)
            return isStored
        }
    }

    /// The last bits of references are random, also of those that share their first bits.
    private func shard(of occurrence: Occurrence) -> Shard {
        shards[Int(occurrence.recipient.rawValue % UInt64(shards.count))]
    }
}

/// The entries of some recipients.
private final class Shard: Sendable {
    private enum Entry {
        /// - Parameter dropped: the time of an equal report that was forgotten meanwhile. It may be this one, whose
        ///   outcome can arrive after the drain has read it.
        case pending([ReportDeduplicator.Waiter], dropped: Timestamp?)
        case stored(Timestamp)
    }

    private struct State {
        var entries: [ReportDeduplicator.Key: Entry] = [:]
        /// The time of the next sweep.
        var nextSweep: Timestamp?
    }

    private static let pause = ReportDeduplicator.window / 2

    /// Guards the entries; held for a look-up, and twice a minute to forget the old ones.
    private let state = Mutex(State())
    /// The delay of this shard's first sweep after that of the first shard, so that no two shards sweep at once.
    private let delay: Duration

    init(number: Int, of count: Int) { delay = Self.pause / count * number }

    func remember(_ key: ReportDeduplicator.Key, at instant: Timestamp) {
        state.withLock { state in
            if case .stored(let other)? = state.entries[key], other >= instant { return }
            state.entries[key] = .stored(instant)
        }
    }

    func begin(_ key: ReportDeduplicator.Key, at now: Timestamp) -> ReportDeduplicator.Beginning {
        state.withLock { state in
            sweep(&state, at: now)
            switch state.entries[key] {
            case .pending?: return .isPending
            case .stored(let instant)? where now <= instant.advanced(by: ReportDeduplicator.window): return .isRepeat
            case .stored?, nil:
                state.entries[key] = .pending([], dropped: nil)
                return .isNew
            }
        }
    }

    func whenStored(_ key: ReportDeduplicator.Key, _ waiter: @escaping ReportDeduplicator.Waiter) -> Bool? {
        state.withLock { state in
            switch state.entries[key] {
            case .pending(let waiting, let dropped)?:
                state.entries[key] = .pending(waiting + [waiter], dropped: dropped)
                return nil
            case .stored?: return true
            case nil: return false
            }
        }
    }

    /// - Parameter instant: when it happened; `nil` if it is not stored.
    /// - Returns: the callbacks that wait for the outcome.
    func end(_ key: ReportDeduplicator.Key, at instant: Timestamp?) -> [ReportDeduplicator.Waiter] {
        state.withLock { state in
            let old = state.entries[key]
            state.entries[key] = instant.map { .stored($0) }
            guard case .pending(let waiting, let dropped)? = old else { return [] }
            if instant == dropped { state.entries[key] = nil }
            return waiting
        }
    }

    /// - Parameter instant: when what is forgotten happened. A later one of the same key stays.
    func forget(_ key: ReportDeduplicator.Key, of instant: Timestamp) {
        state.withLock { state in
            switch state.entries[key] {
            case .pending(let waiting, _)?: state.entries[key] = .pending(waiting, dropped: instant)
            case .stored(instant)?: state.entries[key] = nil
            case .stored?, nil: break
            }
        }
    }

    private func sweep(_ state: inout State, at now: Timestamp) {
        guard let next = state.nextSweep else {
            state.nextSweep = now.advanced(by: Self.pause + delay)
            return
        }
        guard now >= next else { return }
        state.nextSweep = now.advanced(by: Self.pause)
        state.entries = state.entries.filter { _, entry in
            guard case .stored(let instant) = entry else { return true }
            return now <= instant.advanced(by: ReportDeduplicator.window)
        }
    }
}
