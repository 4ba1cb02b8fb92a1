package import Identifiers

/// The rules that a click needs without asking the store: which recipients may be recorded, and which messages have
/// changed.
///
/// A storage numbers every change in the order of its commits. A follower takes a snapshot and then applies the changes
/// after the snapshot's cursor, so that it reaches the same state as the store. All calls may be concurrent.
package protocol RuleFeed: Sendable {
    /// The changes after `cursor`, in the order of their commits. A change that was acknowledged before the call is in
    /// this page or in a later one. A feed may have removed its oldest changes.
    /// - Throws: a ``StoreFailure``.
    func poll(after cursor: RuleCursor) async throws -> RulePage

    /// All rules at one moment. The page after its cursor begins with the first change that is not in it.
    ///
    /// It lacks organizations whose settings cannot be read. Their ledgers are closed, so nothing of them is recorded.
    /// - Throws: a ``StoreFailure``.
    func snapshot() async throws -> RuleSnapshot

    /// At most `limit` messages of all organizations after `id`, in the order of their ids, in their present state.
    /// - Throws: a ``StoreFailure``.
    func messages(after id: MessageID?, limit: Int) async throws -> MessagePage
}
