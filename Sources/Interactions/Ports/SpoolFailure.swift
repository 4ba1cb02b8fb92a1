/// An error of a ``ClickSpool`` with its reason.
package protocol SpoolFailure: Error {
    var unrecordedReason: UnrecordedReason { get }
    /// Whether a later write may succeed without a restart.
    var isTransient: Bool { get }
}
