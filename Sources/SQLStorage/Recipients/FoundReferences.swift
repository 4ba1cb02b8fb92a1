import Identifiers
import Synchronization

/// Keeps the recipients that were found for references when their status was asked for. Storing their interactions,
/// which follows, uses them.
///
/// A reference stands for one recipient until that recipient is erased. So the kept values are valid as long as no
/// recipient of the organization has been erased since. The caller must check that.
final class FoundReferences: Sendable {
    struct Recipient: Sendable {
        /// The row in `recipients`.
        let number: Int64
        let organization: Int64
        /// The number of erasures in the organization at that time.
        let erasures: Int64
    }

    /// The kept values at one time.
    struct Kept: Sendable {
        fileprivate var last: [RecipientReference: Recipient] = [:]
        /// The recipients of the batch before, because the drain asks about its next batch while one is stored.
        fileprivate var before: [RecipientReference: Recipient] = [:]

        subscript(reference: RecipientReference) -> Recipient? { last[reference] ?? before[reference] }
    }

    private let answers = Mutex(Kept())

    /// Keeps these together with those of the call before, and forgets older ones.
    func keep(_ found: [RecipientReference: Recipient]) {
        answers.withLock { $0 = Kept(last: found, before: $0.last) }
    }

    var kept: Kept { answers.withLock { $0 } }

    /// The kept values, which are then kept no longer: for a caller that keeps them itself while it needs them.
    func take() -> Kept {
        answers.withLock { kept in
            defer { kept = Kept() }
            return kept
        }
    }
}
