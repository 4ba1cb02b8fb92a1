import Consent
import Identifiers
import Interactions
import Ledger
import Organizations
import StoragePorts
import TestSupport
import Testing

/// What a storage promises that several processes have open, and all of them write to at once.
package enum SimultaneousWritersContract {
    package static let promises: [Promise] = ledgers + logs + rules + turns

    private static let ledgers: [Promise] = [
        Promise("a ledger takes the entries of all writers, in turns and at once, and is one tree") { one in
            let writers = [one, try one.openBeside(), try one.openBeside()]
            let message = try await one.message()
            var heads: [TreeHead] = []
            for round in 0..<6 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for (index, writer) in writers.enumerated() {
                        group.addTask {
                            let people = try (0..<90).map { try RecipientID("person\(round)-\(index)-\($0)") }
                            try await writer.decideAnew(people.map { ($0, .noConsentRecord) }, of: message)
                            try await writer.record(.given, for: people[0])
                            _ = try await writer.consents.erase(people[1], in: writer.acme)
                        }
                    }
                    try await group.waitForAll()
                }
                heads.append(try await writers[round % 3].treeHead())
            }
            for writer in writers {
                #expect(try await writer.checkTree() == UInt64(1 + 6 * 3 * 92))
                for head in heads { #expect(try await writer.ledgers.check(writer.acme, against: head) == nil) }
            }
        },
        Promise("single decisions of writers that take turns stand in the order of their ids") { one in
            let writers = [one, try one.openBeside()]
            let message = try await one.message()
            var decided: [RecordedDecision] = []
            for round in 0..<10 {
                decided += try await writers[round % 2].decide([(.ana, .noConsentRecord)], of: message)
            }
            #expect(decided.map(\.id) == decided.map(\.id).sorted())
            #expect(Set(decided.map(\.id)).count == 10)
            for (leaf, decision) in zip(1..., decided) {
                for writer in writers {
                    let item = try #require(try await writer.ledgers.entry(of: decision.id, in: one.acme))
                    #expect(item.leaf == UInt64(leaf))
                }
            }
        },
    ]

    private static let logs: [Promise] = [
        Promise("a reader of interactions gets each once, whoever stores them") { one in
            let writers = [one, try one.openBeside(), try one.openBeside()]
            let message = try await one.message()
            let reference = try await one.reference(of: .ana, message: message)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, writer) in writers.enumerated() {
                    group.addTask {
                        for round in 0..<20 {
                            let click = SpooledOccurrence.click(UInt64(1 + index * 100 + round), message, reference)
                            try await writer.interactions.store([click], at: .noon)
                        }
                    }
                }
                try await group.waitForAll()
            }
            var read: [InteractionID] = []
            var cursor: InteractionFeedCursor?
            while true {
                let page = try await writers[read.count % 3].interactions.interactions(
                    matching: InteractionQuery(after: cursor), limit: 7, in: one.acme)
                guard let end = page.last else { break }
                read += page.map(\.id)
                cursor = .position(end.position)
            }
            #expect(read.count == 60)
            #expect(Set(read).count == 60)
        },
        Promise("clicks that were prepared before another writer stored some count as if they had come after") { one in
            let other = try one.openBeside()
            let message = try await one.message()
            let ana = try await one.reference(of: .ana, message: message)
            let bo = try await one.reference(of: .bo, message: message)
            let clicks = [
                SpooledOccurrence.click(11, message, ana), .click(12, message, bo), .click(13, message, ana),
            ]
            let prepared = try await one.interactions.prepare(
                clicks, judgedAsOf: try await one.consents.newestRecord())
            // One of them, and another one of somebody who is among them.
            try await other.interactions.store([.click(12, message, bo), .click(21, message, ana)], at: .noon)
            #expect(try await one.interactions.store(prepared, at: .noon).isEmpty)
            let stored = try await one.interactions.interactions(matching: InteractionQuery(), limit: 9, in: one.acme)
            #expect(Set(stored.map(\.id.rawValue)) == [11, 12, 13, 21])
            #expect(stored.count == 4)
            #expect(stored.filter(\.isFirst).map(\.id.rawValue).sorted() == [12, 21])
            let counts = try await one.activity(of: message).counts[.kind(.pushLinkClicked)]
            #expect(counts.total == 4)
            #expect(counts.people == 2)
        },
        Promise("clicks that were prepared before another writer erased their person name nobody") { one in
            let other = try one.openBeside()
            let message = try await one.message()
            let ana = try await one.reference(of: .ana, message: message)
            let bo = try await one.reference(of: .bo, message: message)
            let prepared = try await one.interactions.prepare(
                [.click(11, message, ana), .click(12, message, bo)],
                judgedAsOf: try await one.consents.newestRecord())
            _ = try await other.consents.erase(.ana, in: one.acme)
            #expect(try await one.interactions.store(prepared, at: .noon).isEmpty)
            let stored = try await one.interactions.interactions(matching: InteractionQuery(), limit: 9, in: one.acme)
            #expect(stored.map(\.recipient) == [nil, try RecipientID.bo])
        },
    ]

    private static let rules: [Promise] = [
        Promise("a reader of the feed gets every change of all writers, in the order of the commits") { one in
            let writers = [one, try one.openBeside(), try one.openBeside()]
            let before = try await one.rules.snapshot()
            let start = before.cursor
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, writer) in writers.enumerated() {
                    group.addTask {
                        for round in 0..<15 {
                            let person = try RecipientID("person\(index)-\(round)")
                            try await writer.record(.given, for: person)
                            try await writer.record(.withdrawn, for: person)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let followed = try await one.changes(after: start)
            #expect(followed.count == 90)
            for writer in writers {
                #expect(try await writer.changes(after: start) == followed)
                let memory = RecordingObserver()
                for change in before.organizations.flatMap(\.changes) + followed { change.notify(memory, memory) }
                let now = RecordingObserver()
                for change in try await writer.rules.snapshot().organizations.flatMap(\.changes) {
                    change.notify(now, now)
                }
                #expect(RulesInMemory(memory.events) == RulesInMemory(now.events))
            }
        }
    ]

    private static let turns: [Promise] = [
        Promise("a job is one writer's at a time, and a step under an older lease is refused") { one in
            let other = try one.openBeside()
            let first = try #require(try await one.leases.acquire(.retention, at: .noon, until: .noon + 10))
            #expect(try await other.leases.acquire(.retention, at: .noon + 5, until: .noon + 20) == nil)
            let second = try #require(try await other.leases.acquire(.retention, at: .noon + 11, until: .noon + 20))
            #expect(second.number > first.number)
            await #expect(throws: JobTokenExpired.self) {
                _ = try await one.retention.purge(one.acme, at: .noon, limit: 1, as: first)
            }
            await #expect(throws: JobTokenExpired.self) { try await one.leases.renew(first, until: .noon + 30) }
            _ = try await other.retention.purge(one.acme, at: .noon, limit: 1, as: second)
        },
        Promise("a request under one key has its effect once, whichever writers it is sent to at once") { one in
            let writers = [one, try one.openBeside(), try one.openBeside()]
            let fingerprint = IdempotencyFingerprint(key: [1, 2, 3], body: [4])
            let made = await withTaskGroup(of: Bool.self) { group in
                for writer in writers + writers {
                    group.addTask {
                        (try? await writer.consents.append(
                            [
                                try NewConsentRecord(
                                    recipient: .ana, purpose: .tracking, state: .given, occurredAt: nil,
                                    validUntil: nil, evidence: nil, now: .noon)
                            ], in: writer.acme, at: .noon, fingerprint: fingerprint)) != nil
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(made == 1)
            #expect(try await one.consents.history(of: .ana, in: one.acme).count == 1)
        },
    ]
}

extension StorageUnderTest {
    /// As a composer does: with a new snapshot when somebody was erased meanwhile.
    fileprivate func decideAnew(_ reasons: [(RecipientID, DecisionReason)], of message: MessageID) async throws {
        while true {
            do {
                try await decide(reasons, of: message)
                return
            } catch is StaleSnapshot {
                continue
            }
        }
    }
}
