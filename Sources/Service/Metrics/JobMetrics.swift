import Counting
import StoragePorts
import Synchronization

/// The jobs that this node does: only one of the nodes that share a storage does each job at a time.
final class JobMetrics: MetricSource {
    private let held = Mutex<Set<Job>>([])

    func set(_ job: Job, isHeld: Bool) {
        held.withLock { held in
            if isHeld { held.insert(job) } else { held.remove(job) }
        }
    }

    func isHeld(_ job: Job) -> Bool { held.withLock { $0.contains(job) } }

    var metrics: [MetricFamily] {
        let held = held.withLock { $0 }
        return [
            .gauges(
                "consentlink_job_held", "1 while this node does the job, else 0.",
                Job.allCases.map { ([.init("name", $0.rawValue)], held.contains($0) ? 1 : 0) })
        ]
    }
}
