import Identifiers
import StoragePorts
import TestSupport
import Testing

/// What every `ClockHistoryStore` promises.
package enum ClockHistoryContract {
    private static let hour: Int64 = 3_600_000

    package static let promises: [Promise] = [
        Promise("faults are kept for the next process, and joined with those that overlap") { storage in
            #expect(try await storage.clockHistory.clockHistory() == ClockHistory())
            let (first, second) = (fault(0, 2, seconds: 60), fault(5, 6, seconds: 3))
            let stored = try await storage.clockHistory.store(.init(faults: ClockFaults([second, first])))
            #expect(stored == ClockFaults([first, second]))
            let joined = fault(0, 4, seconds: 90)
            let next = try await storage.clockHistory.store(.init(faults: ClockFaults([fault(1, 4, seconds: 90)])))
            #expect(next == ClockFaults([joined, second]))
            let reopened = try storage.reopen()
            #expect(try await reopened.clockHistory.clockHistory().faults == ClockFaults([joined, second]))
        },
        Promise("a fault ends when the lead is gone, before those that begin after that") { storage in
            _ = try await storage.clockHistory.store(.init(faults: ClockFaults([fault(0, 9, seconds: 60)])))
            let stored = try await storage.clockHistory.store(
                .init(endedAt: .noon + 3 * hour, faults: ClockFaults([fault(5, 7, seconds: 2)])))
            #expect(stored == ClockFaults([fault(0, 3, seconds: 60), fault(5, 7, seconds: 2)]))
        },
        Promise("a thousand faults are kept as a few hundred that cover them all") { storage in
            let all = (0..<1000).map { fault(Int64($0) * 3, Int64($0) * 3 + 1, seconds: $0 + 1) }
            for index in stride(from: 0, to: all.count, by: 100) {
                _ = try await storage.clockHistory.store(
                    .init(faults: ClockFaults(Array(all[index..<index + 100]))))
            }
            let kept = try await storage.clockHistory.clockHistory().faults
            #expect(kept.all.count == ClockFaults.maximumCount)
            #expect(all.allSatisfy(kept.covers))
        },
    ]

    private static func fault(_ start: Int64, _ end: Int64, seconds: Int) -> ClockFault {
        ClockFault(lead: .seconds(seconds), since: .noon + start * hour, until: .noon + end * hour)
    }
}
