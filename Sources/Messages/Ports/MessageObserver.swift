/// Is told of messages that change, so that a click need not ask the store.
///
/// A store tells it of every change after the commit, in the order of the commits, and before the call that caused the
/// change returns: memory that follows it ends as the store does, whatever changes at once.
package protocol MessageObserver: Sendable {
    /// The message is new, its links were switched off or on, or links were added to it. It may have those alone that were
    /// added: none is ever taken away.
    func messageChanged(_ message: StoredMessage)

    /// Any message may have changed: what is known of messages must be read from the store again.
    func allMessagesChanged()
}
