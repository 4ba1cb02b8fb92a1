/// A fault that is reported to the operator: when it begins, not with every click.
package enum RedirectFault: Sendable {
    /// Clicks cannot be made durable. Readers are redirected, and their clicks are not recorded.
    case spoolFailed(any Error)
    /// Recorded clicks stay in the spool, because the interaction store does not accept them.
    case drainFailed(any Error)
    /// So many batches of clicks in the spool are damaged. The drain skips them; they stay in its file.
    case batchesUnreadable(Int)
    /// So many clicks were dropped because the store does not have their message, as after it was put back to an
    /// earlier state.
    case clicksOfNoMessage(Int)
    /// The message of a link could not be read from the store.
    case directoryFailed(any Error)
}
