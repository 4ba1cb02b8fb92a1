package import Identifiers

/// Gives each ``Job`` to one node at a time. May be called at once from anywhere.
///
/// A lease alone does not keep two nodes apart: a process may be halted for longer than its lease lasts. So each step of
/// a job names the lease's token, and the store refuses the step, in its own transaction, once another lease was taken.
package protocol JobLeaseStore: Sendable {
    /// Takes the job until `end`, unless a lease that was taken before lasts longer than `now`. Waits for a step that is
    /// being done under an earlier lease.
    /// - Returns: a token with a greater number than every token of the job before; `nil` while another lease lasts.
    func take(_ job: Job, at now: Timestamp, until end: Timestamp) async throws -> JobToken?

    /// Makes the lease last until `end`. It may have ended before, if no other was taken meanwhile.
    /// - Throws: ``JobTokenExpired`` when the lease was released, or another one was taken.
    func keep(_ token: JobToken, until end: Timestamp) async throws

    /// Ends the lease: another may be taken at once, and no step is done under this one any more. Does nothing when
    /// another was taken already.
    func release(_ token: JobToken) async throws
}
