import Identifiers
import StoragePorts

/// The leases of a storage that one process has open: which holder does which job.
///
/// They are in memory only. One process at a time has the storage open, so every holder of a token ends with this
/// process, and no step under an old token can come later. All of this runs on the writer's thread, so a step and the
/// taking of another lease never overlap.
struct JobLeases {
    private struct Lease {
        var number: UInt64
        /// `nil` after it was released.
        var end: Timestamp?
    }

    /// The last lease of each job.
    private var last: [Job: Lease] = [:]

    mutating func acquire(_ job: Job, at now: Timestamp, until end: Timestamp) -> JobToken? {
        if let current = last[job]?.end, current > now { return nil }
        let number = (last[job]?.number ?? 0) + 1
        last[job] = Lease(number: number, end: end)
        return JobToken(job: job, number: number)
    }

    mutating func renew(_ token: JobToken, until end: Timestamp) throws(JobTokenExpired) {
        try require(token, of: token.job)
        last[token.job]?.end = end
    }

    mutating func release(_ token: JobToken) {
        guard last[token.job]?.number == token.number else { return }
        last[token.job]?.end = nil
    }

    /// Must be called at the beginning of a step of `job`.
    func require(_ token: JobToken, of job: Job) throws(JobTokenExpired) {
        guard token.job == job, let lease = last[job], lease.number == token.number, lease.end != nil else {
            throw JobTokenExpired()
        }
    }
}
