import Identifiers
import Logging
import ServiceLifecycle
import StoragePorts

/// Stores the faults of the clock while they are noticed, so that a process that is killed loses none. Recording reads
/// them only in memory.
struct ClockHistoryService: Service {
    private static let interval = Duration.milliseconds(250)
    /// The number of intervals after which the faults that other nodes stored are read.
    private static let intervalsBetweenReads = 40

    let clock: ServiceClock
    let store: any ClockHistoryStore
    /// Whether other processes may store faults.
    let isShared: Bool
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown { await follow() }
        try? await save()
    }

    private func follow() async {
        var (round, isTold) = (0, false)
        while (try? await Task.sleep(for: Self.interval)) != nil {
            round += 1
            do {
                try await save()
                if isShared, round.isMultiple(of: Self.intervalsBetweenReads) { try await read() }
                isTold = false
            } catch let failure as any StoreFailure where !failure.isDuringMigration && !isTold {
                isTold = true
                logger.warning("the faults of the clock cannot be stored", metadata: ["error": "\(failure)"])
            } catch {
                // Tried again in the next round.
            }
        }
    }

    func save() async throws {
        let change = clock.unsaved
        guard !change.isEmpty else { return }
        clock.wasStored(change, as: try await store.store(change))
    }

    private func read() async throws {
        clock.wasStored(ClockHistory.Change(), as: try await store.clockHistory().faults)
    }
}
