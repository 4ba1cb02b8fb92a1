import Identifiers
import Synchronization

/// Keeps which recipients references were found to stand for when their status was asked for, for the interactions of
/// theirs that are stored next.
///
/// A reference stands for one recipient until that is erased. So what is kept is valid as long as nobody of the
/// organization was erased since, which who takes it must check.
final class FoundReferences: Sendable {
    struct Recipient: Sendable {
        /// The row in `recipients`.
        let number: Int64
        let organization: Int64
        /// How many of the organization had been erased then.
        let erasures: Int64
    }

    private struct Answers {
        var last: [RecipientReference: Recipient] = [:]
        /// The drain asks about its next batch while one is stored.
        var before: [RecipientReference: Recipient] = [:]
    }

    private let answers = Mutex(Answers())

    /// Keeps these beside those that were kept last.
    func keep(_ found: [RecipientReference: Recipient]) {
        answers.withLock { $0 = Answers(last: found, before: $0.last) }
    }

    /// Those of them that are kept.
    func recipients(_ references: Set<RecipientReference>) -> [RecipientReference: Recipient] {
        let answers = answers.withLock { $0 }
        var kept: [RecipientReference: Recipient] = [:]
        for reference in references { kept[reference] = answers.last[reference] ?? answers.before[reference] }
        return kept
    }
}
