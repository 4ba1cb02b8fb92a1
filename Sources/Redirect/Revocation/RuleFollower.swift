package import Consent
package import Messages
package import Organizations
import Synchronization

/// Keeps the memory of the redirect at the state of the store: by the rule feed, whichever storage it belongs to.
///
/// A storage of the same process tells it of each change as well, before the call that caused the change returns. Both
/// ways lead through the cursor, so every change is told once, and in order.
package final class RuleFollower: RuleObserver {
    private let consent: any ConsentObserver
    private let messages: any MessageObserver
    private let mirror: (any RuleMirror)?
    /// Up to where the observers have been told; `nil` before the first snapshot. Held while they are told, so that they
    /// are told in order. No click takes it.
    private let cursor = Mutex<RuleCursor?>(nil)
    private let otherHistory = Mutex<(@Sendable () async throws -> Void)?>(nil)

    /// - Parameter mirror: is told the same, for the next start.
    package init(
        consent: any ConsentObserver, messages: any MessageObserver, mirror: (any RuleMirror)? = nil
    ) {
        self.consent = consent
        self.messages = messages
        self.mirror = mirror
    }

    /// - Parameter body: is called when the database has another history than the one that was followed, before anything of
    ///   it is told. What it throws, ``catchUp(with:)`` throws, and it is called again then.
    package func onOtherHistory(_ body: @escaping @Sendable () async throws -> Void) {
        otherHistory.withLock { $0 = body }
    }

    /// Tells the observers what the mirror has, before anything else. Then they know what was known when the process
    /// before this one ended, and the feed gives them the rest.
    package func beginWithMirror() async throws {
        guard let rules = try await mirror?.rules() else { return }
        cursor.withLock { cursor in
            guard cursor == nil else { return }
            tell(rules)
            cursor = rules.cursor
        }
    }

    /// Tells the observers everything that is not known yet. What was acknowledged before the call has been told on
    /// return.
    /// - Throws: what the feed throws. What was told then is told in order, and the next call goes on from there.
    package func catchUp(with feed: any RuleFeed) async throws {
        while true {
            guard let known = cursor.withLock({ $0 }) else {
                tell(try await feed.snapshot(), inPlaceOf: nil)
                continue
            }
            if mirror?.needsRules ?? false {
                tell(try await feed.snapshot(), inPlaceOf: known)
                continue
            }
            switch try await feed.poll(after: known) {
            case .changes(let changes, _) where changes.isEmpty: return
            case .changes(let changes, let next): tell(changes, after: known, upTo: next)
            case .replaced(let isOtherHistory):
                if isOtherHistory { try await otherHistory.withLock { $0 }?() }
                tell(try await feed.snapshot(), inPlaceOf: known, isOtherHistory: isOtherHistory)
            }
        }
    }

    @discardableResult
    package func ruleChanged(_ change: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool {
        tell([change], after: previous, upTo: cursor)
    }

    /// Tells nothing when the observers are elsewhere: they know the changes already, or the feed gives them in a page.
    /// - Returns: whether it told them.
    @discardableResult
    private func tell(_ changes: [RuleChange], after previous: RuleCursor, upTo next: RuleCursor) -> Bool {
        cursor.withLock { cursor in
            guard cursor == previous else { return false }
            mirror?.note(changes, upTo: next)
            for change in changes { change.tell(consent, messages) }
            cursor = next
            return true
        }
    }

    private func tell(_ snapshot: RuleSnapshot, inPlaceOf known: RuleCursor?, isOtherHistory: Bool = false) {
        cursor.withLock { cursor in
            guard cursor == known else { return }
            mirror?.note(snapshot, keepsEnds: isOtherHistory)
            if isOtherHistory { consent.historyReplaced() }
            messages.allMessagesChanged()
            tell(snapshot)
            cursor = snapshot.cursor
        }
    }

    private func tell(_ snapshot: RuleSnapshot) {
        for change in snapshot.organizations.lazy.flatMap(\.changes) { change.tell(consent, messages) }
    }
}
