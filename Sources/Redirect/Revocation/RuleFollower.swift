package import Consent
package import Messages
package import StoragePorts
import Synchronization

/// Keeps the redirect's memory in the state of the store, with the rule feed of any storage.
///
/// A storage in the same process also tells it of each change, before the call that caused the change returns. Both
/// ways check the cursor, so the observers get every change once, and in order.
package final class RuleFollower: RuleObserver {
    private struct OtherHistory {
        let notify: @Sendable () -> Void
        let follow: @Sendable () async throws -> Void
        /// Whether ``notify`` was called for the present one.
        var isTold = false
    }

    private let consent: any ConsentObserver
    private let messages: any MessageObserver
    private let mirror: (any RuleMirror)?
    /// The place up to which the observers have been told; `nil` before the first snapshot. The lock is held while they
    /// are told, so that they are told in order. No click takes it.
    private let cursor = Mutex<RuleCursor?>(nil)
    private let otherHistory = Mutex<OtherHistory?>(nil)

    /// - Parameter mirror: stores the same changes, for the next start.
    package init(
        consent: any ConsentObserver, messages: any MessageObserver, mirror: (any RuleMirror)? = nil
    ) {
        self.consent = consent
        self.messages = messages
        self.mirror = mirror
    }

    /// Sets what to do when the database has another history than the one that was followed, before the observers get
    /// any change of the new history.
    /// - Parameters:
    ///   - notify: called once for each other history.
    ///   - follow: called after it. If it throws, ``catchUp(with:)`` throws the same error, and the next call calls it
    ///     again.
    package func onOtherHistory(
        notify: @escaping @Sendable () -> Void, follow: @escaping @Sendable () async throws -> Void
    ) {
        otherHistory.withLock { $0 = OtherHistory(notify: notify, follow: follow) }
    }

    private func beginOtherHistory() async throws {
        let (isTold, begun) = otherHistory.withLock { known in
            defer { known?.isTold = true }
            return (known?.isTold ?? true, known)
        }
        if !isTold { begun?.notify() }
        try await begun?.follow()
    }

    /// Tells the observers the content of the mirror, before anything else. They then have the state of the time when
    /// the previous process ended, and the feed gives them the later changes.
    package func beginWithMirror() async throws {
        guard let rules = try await mirror?.rules() else { return }
        cursor.withLock { cursor in
            guard cursor == nil else { return }
            notify(rules)
            cursor = rules.cursor
        }
    }

    /// Tells the observers everything that they do not know yet. On return they know every change that was acknowledged
    /// before the call.
    /// - Throws: what the feed throws. The observers then know a prefix of the changes; the next call continues after
    ///   it.
    package func catchUp(with feed: any RuleFeed) async throws {
        while true {
            guard let known = cursor.withLock({ $0 }) else {
                notify(try await feed.snapshot(), inPlaceOf: nil)
                continue
            }
            switch try await feed.poll(after: known) {
            case .replaced(let isOtherHistory):
                if isOtherHistory { try await beginOtherHistory() }
                notify(try await feed.snapshot(), inPlaceOf: known, isOtherHistory: isOtherHistory)
                if isOtherHistory { otherHistory.withLock { $0?.isTold = false } }
            // After the poll: the rules of another history must not be taken for those of this one.
            case .changes where mirror?.needsRules ?? false: notify(try await feed.snapshot(), inPlaceOf: known)
            case .changes(let changes, _) where changes.isEmpty: return
            case .changes(let changes, let next): notify(changes, after: known, upTo: next)
            }
        }
    }

    @discardableResult
    package func ruleChanged(_ change: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool {
        notify([change], after: previous, upTo: cursor)
    }

    /// Tells nothing unless the cursor is at `previous`: the observers know the changes already, or the feed gives them
    /// in a page.
    /// - Returns: whether it told the observers.
    @discardableResult
    private func notify(_ changes: [RuleChange], after previous: RuleCursor, upTo next: RuleCursor) -> Bool {
        cursor.withLock { cursor in
            guard cursor == previous else { return false }
            mirror?.append(changes, upTo: next)
            for change in changes { change.notify(consent, messages) }
            cursor = next
            return true
        }
    }

    private func notify(_ snapshot: RuleSnapshot, inPlaceOf known: RuleCursor?, isOtherHistory: Bool = false) {
        cursor.withLock { cursor in
            guard cursor == known else { return }
            mirror?.store(snapshot, keepsEnds: isOtherHistory)
            if isOtherHistory { consent.historyReplaced() }
            messages.allMessagesChanged()
            notify(snapshot)
            cursor = snapshot.cursor
        }
    }

    private func notify(_ snapshot: RuleSnapshot) {
        for change in snapshot.organizations.lazy.flatMap(\.changes) { change.notify(consent, messages) }
    }
}
