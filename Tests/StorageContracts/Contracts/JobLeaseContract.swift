import Identifiers
import Interactions
import Ledger
import Organizations
import StoragePorts
import TestSupport
import Testing

/// What every storage promises of jobs that one node at a time does.
package enum JobLeaseContract {
    private static let minute: Int64 = 60_000
    private static let day: Int64 = 86_400_000

    package static let promises: [Promise] = leases + steps

    private static let leases: [Promise] = [
        Promise("while one has the job nobody else gets it, until its time has ended") { storage in
            let first = try #require(try await storage.leases.acquire(.retention, at: .noon, until: .noon + minute))
            for now in [.noon, .noon + 1, .noon + (minute - 1), .noon + -minute] {
                let other = try await storage.leases.acquire(.retention, at: now, until: now + minute)
                #expect(other == nil)
            }
            let end = Timestamp.noon + minute
            let second = try #require(try await storage.leases.acquire(.retention, at: end, until: end + minute))
            #expect(second.number > first.number)
            #expect([first.job, second.job] == [.retention, .retention])
        },
        Promise("one that keeps it has it for longer, also when its time had ended meanwhile") { storage in
            let leases = storage.leases
            let token = try #require(try await leases.acquire(.retention, at: .noon, until: .noon + minute))
            try await leases.renew(token, until: .noon + 3 * minute)
            #expect(try await leases.acquire(.retention, at: .noon + 2 * minute, until: .noon + 9 * minute) == nil)
            // Nobody took it at its end.
            try await leases.renew(token, until: .noon + 6 * minute)
            #expect(try await leases.acquire(.retention, at: .noon + 5 * minute, until: .noon + 9 * minute) == nil)
        },
        Promise("what is let go is free at once, and the one that had it can neither keep nor end another's") {
            storage in
            let leases = storage.leases
            let first = try #require(try await leases.acquire(.retention, at: .noon, until: .noon + minute))
            try await leases.release(first)
            await #expect(throws: JobTokenExpired.self) { try await leases.renew(first, until: .noon + minute) }
            let second = try #require(try await leases.acquire(.retention, at: .noon, until: .noon + minute))
            #expect(second.number > first.number)
            await #expect(throws: JobTokenExpired.self) { try await leases.renew(first, until: .noon + 9 * minute) }
            try await leases.release(first)
            #expect(try await leases.acquire(.retention, at: .noon, until: .noon + minute) == nil)
            try await leases.renew(second, until: .noon + 2 * minute)
        },
        Promise("of many who ask at once one gets the job") { storage in
            let tokens = try await withThrowingTaskGroup(of: JobToken?.self) { group in
                for _ in 0..<32 {
                    group.addTask { try await storage.leases.acquire(.retention, at: .noon, until: .noon + minute) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(tokens.compactMap(\.self).count == 1)
        },
    ]

    private static let steps: [Promise] = [
        Promise("a step under a lease that another followed, or that was let go, changes nothing") { storage in
            let message = try await storage.message()
            let reference = try await storage.reference(of: .ana, message: message)
            try await storage.interactions.store([.click(1, message, reference)], at: .noon)
            let change = OrganizationChange(
                retention: RetentionChange(interactions: .days(1), decisions: .days(1)))
            _ = try await storage.organizations.change(storage.acme, by: change, at: .noon)
            let later = Timestamp.noon + 9 * day
            let deposed = try #require(try await storage.leases.acquire(.retention, at: .noon, until: .noon + minute))
            let released = try #require(try await storage.leases.acquire(.retention, at: later, until: later + minute))
            try await storage.leases.release(released)
            let holder = try #require(try await storage.leases.acquire(.retention, at: later, until: later + minute))
            let invented = JobToken(job: .retention, number: holder.number + 1)
            let size = try await storage.ledgers.head(of: storage.acme)?.head.size
            let held = RetentionHold(trusted: .noon, wasHeld: true, at: .noon)

            for token in [deposed, released, invented] {
                await #expect(throws: JobTokenExpired.self) {
                    _ = try await storage.retention.purge(storage.acme, at: later, limit: 9, as: token)
                }
                await #expect(throws: JobTokenExpired.self) { try await storage.retention.store(held, as: token) }
            }
            #expect(try await storage.interactions.count(in: storage.acme) == 1)
            #expect(try await storage.ledgers.head(of: storage.acme)?.head.size == size)
            #expect(try await storage.retention.hold(at: .noon).heldSince == nil)

            let step = try await storage.retention.purge(storage.acme, at: later, limit: 9, as: holder)
            #expect(step == Purge(interactions: 1, decisions: 1, isLast: true))
        },
        Promise("a step that comes after the end of its lease is done while no other was taken") { storage in
            let token = try #require(try await storage.leases.acquire(.retention, at: .noon, until: .noon + minute))
            let later = Timestamp.noon + 9 * day
            let step = try await storage.retention.purge(storage.acme, at: later, limit: 9, as: token)
            #expect(step.isLast)
        },
    ]
}
