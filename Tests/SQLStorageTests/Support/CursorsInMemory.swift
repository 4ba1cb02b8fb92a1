import StoragePorts
import Synchronization

/// Writes down the cursors that it is told with changes: the one before, and the one after.
final class CursorsInMemory: RuleObserver {
    private let told = Mutex<[(RuleCursor, RuleCursor)]>([])

    var cursors: [(RuleCursor, RuleCursor)] { told.withLock { $0 } }

    func ruleChanged(_: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool {
        told.withLock { $0.append((previous, cursor)) }
        return true
    }
}
