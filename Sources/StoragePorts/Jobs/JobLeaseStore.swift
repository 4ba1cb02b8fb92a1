package import Identifiers

/// Gives each ``Job`` to one node at a time. All calls may be concurrent.
///
/// A lease alone does not keep two nodes apart, because a process may be halted for longer than its lease lasts. So
/// each step of a job gives the lease's token, and the store refuses the step, in its own transaction, if another lease
/// was taken.
package protocol JobLeaseStore: Sendable {
    /// Takes the job until `end`, unless an earlier lease lasts longer than `now`. Waits for a running step under an
    /// earlier lease.
    /// - Returns: a token with a greater number than every earlier token of the job; `nil` if another lease still
    ///   lasts.
    func acquire(_ job: Job, at now: Timestamp, until end: Timestamp) async throws -> JobToken?

    /// Extends the lease until `end`. It may have ended before, if no other was taken meanwhile.
    /// - Throws: ``JobTokenExpired`` if the lease was released, or another one was taken.
    func renew(_ token: JobToken, until end: Timestamp) async throws

    /// Ends the lease: another one may be taken at once, and no step under this lease is accepted any more. Has no
    /// effect if another one was taken already.
    func release(_ token: JobToken) async throws
}
