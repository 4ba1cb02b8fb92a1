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

    /// What is kept at one time.
    struct Kept: Sendable {
        fileprivate var last: [RecipientReference: Recipient] = [:]
        /// The drain asks about its next batch while one is stored.
        fileprivate var before: [RecipientReference: Recipient] = [:]

        subscript(reference: RecipientReference) -> Recipient? { last[reference] ?? before[reference] }
    }

    private let answers = Mutex(Kept())

    /// Keeps these beside those that were kept last.
    func keep(_ found: [RecipientReference: Recipient]) {
        answers.withLock { $0 = Kept(last: found, before: $0.last) }
    }

    var kept: Kept { answers.withLock { $0 } }
}
