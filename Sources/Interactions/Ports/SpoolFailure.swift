/// An error of a ``ClickSpool`` with its reason.
package protocol SpoolFailure: Error {
    /// Why the occurrences were not recorded.
    var unrecordedReason: UnrecordedReason { get }
    /// Whether a later write may succeed without a restart.
    var isTransient: Bool { get }
}
