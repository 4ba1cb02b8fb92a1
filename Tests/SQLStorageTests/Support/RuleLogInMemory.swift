import StoragePorts

@testable import SQLStorage

/// Tells of changes of the rules once they are committed. Lives on the writer's thread.
final class RuleLogInMemory: RuleChangeLog {
    private let tell: (RuleChange) -> Void
    private var entered: [RuleChange] = []

    init(tell: @escaping (RuleChange) -> Void) { self.tell = tell }

    func enter(_ changes: [RuleChange], _ place: any RuleTransaction) { entered = changes }

    func didCommit() {
        for change in entered { tell(change) }
        entered = []
    }
}
