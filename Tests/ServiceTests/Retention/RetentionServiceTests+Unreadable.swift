import Counting
import Identifiers
import Organizations
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import Service

extension RetentionServiceTests {
    private struct Unreadable: StoreFailure {
        let description = "a value cannot be read"
        var isTransient = false
    }

    /// Its text would name somebody.
    private struct Unexpected: Error, CustomStringConvertible {
        let description = "ana@example.com"
    }

    @Test(
        "a row of one organization that cannot be read keeps no other one's data, is told with its name, and is a lag",
        arguments: [(Unreadable(), "a value cannot be read"), (Unexpected(), "Unexpected")]
            as [(any Error, String)])
    func unreadableRow(_ failure: any Error, _ told: String) async throws {
        let (store, log) = (Store(), CapturedLog())
        let (damaged, whole) = (try organization("damaged", days: 1), try organization("whole", days: 1))
        store.state.withLock { state in
            state.organizations = [damaged, whole]
            state.rows = [damaged.id: 3, whole.id: 3]
            state.unreadable = (damaged.id, failure)
        }
        let lag = try await round(store, log: log, lag: RetentionLag(now: { .noon + 90_000 }))
        #expect(store.state.withLock { $0.rows } == [damaged.id: 3, whole.id: 0])
        let line = try #require(log.lines.first { $0.message.hasPrefix("could not forget data of an organization") })
        #expect("\(line.metadata["organization"] ?? "")" == "damaged")
        #expect("\(line.metadata["error"] ?? "")" == told)
        #expect(lag.metrics.contains { "\($0)".contains("90.0") })
    }

    @Test("a store that is away for a while ends the round")
    func away() async throws {
        let store = Store()
        let (first, second) = (try organization("first", days: 1), try organization("second", days: 1))
        store.state.withLock { state in
            state.organizations = [first, second]
            state.rows = [first.id: 3, second.id: 3]
            state.unreadable = (first.id, Unreadable(isTransient: true))
        }
        let service = RetentionService(
            organizations: store, retention: store, leases: store, lag: RetentionLag(now: { .noon }),
            jobs: JobMetrics(), now: { .noon }, logger: CapturedLog().logger, interval: .zero)
        let running = Task { await service.run() }
        #expect(await eventually { store.state.withLock { $0.looks.count } >= 2 })
        running.cancel()
        await running.value
        #expect(store.state.withLock { Set($0.looks) } == [first.id])
    }
}
