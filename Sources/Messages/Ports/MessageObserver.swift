/// Gets changed messages, so that a click need not ask the store.
///
/// A store reports every change after the commit, in the order of the commits, and before the call that caused the
/// change returns: so memory reaches the same state as the store under concurrent changes.
package protocol MessageObserver: Sendable {
    /// The message is new, its links were disabled or enabled, or links were added to it. It may have only the links
    /// that were added now: none is ever removed.
    func messageChanged(_ message: StoredMessage)

    /// Any message may have changed: all messages in memory must be read from the store again.
    func allMessagesChanged()
}
