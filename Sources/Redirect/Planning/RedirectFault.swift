/// What an operator should hear of: each is reported when it begins, not once a click.
package enum RedirectFault: Sendable {
    /// Clicks cannot be made durable; readers are sent on unrecorded.
    case spoolFailed(any Error)
    /// Recorded clicks stay in the spool, for the interaction store does not take them.
    case drainFailed(any Error)
    /// A link's message could not be asked for.
    case directoryFailed(any Error)
}
