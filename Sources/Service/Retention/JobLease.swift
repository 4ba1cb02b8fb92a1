import Identifiers
import StoragePorts

/// This node's lease for a job that one node at a time does.
struct JobLease {
    private let job: Job
    private let leases: any JobLeaseStore
    /// How long the job stays with this node without further notice.
    private let duration: Duration
    private var token: JobToken?

    init(_ job: Job, from leases: any JobLeaseStore, lasting duration: Duration) {
        self.job = job
        self.leases = leases
        self.duration = duration
    }

    /// Acquires the lease, or renews it if this node has it already.
    /// - Returns: `nil` while another node has it.
    mutating func acquire(at now: Timestamp) async throws -> JobToken? {
        let end = now.advanced(by: duration)
        if let token {
            do {
                try await leases.renew(token, until: end)
                return token
            } catch is JobTokenExpired {
                self.token = nil
            }
        }
        token = try await leases.acquire(job, at: now, until: end)
        return token
    }

    /// Leaves the job to other nodes. If the store cannot be told, they wait for the end of the lease.
    mutating func release() async {
        if let token { try? await leases.release(token) }
        token = nil
    }
}
