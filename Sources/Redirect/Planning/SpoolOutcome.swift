package import Interactions

/// The outcome of an occurrence that was handed to the spool.
package enum SpoolOutcome: Hashable, Sendable {
    /// On disk: it survives a crash at any moment from now on.
    case recorded
    /// It is not durable, and must not be reported as recorded.
    case unrecorded(UnrecordedReason)
}
