import Consent
import Identifiers
import Messages
import Organizations
package import StoragePorts
import TestSupport
import Testing

/// What every `RuleFeed` promises, together with the stores whose changes it has.
package enum RuleFeedContract {
    package static let promises: [Promise] = following + starting

    private static let following: [Promise] = [
        Promise("every kind of change is in the feed, in the order of the commits") { storage in
            let (start, message) = (try await storage.rules.snapshot().cursor, try await storage.message())
            _ = storage.observer.take()
            let given = try await storage.record(.given, for: .ana)
            let reference = try #require(storage.observer.takeChanges().first).reference
            let off = try await storage.messages.setDisabled(true, message: message, in: storage.acme)
            _ = try await storage.organizations.change(
                storage.acme, by: OrganizationChange(honorsGPC: false), at: .noon)
            let withdrawal = try await storage.consents.withdraw(
                reference, for: .tracking, evidence: ConsentEvidence(method: "page"), in: storage.acme, at: .noon + 1)
            guard case .recorded(let withdrawn) = withdrawal else { throw Missing() }
            _ = try await storage.organizations.change(
                storage.globex, by: OrganizationChange(enforcement: .restrictive), at: .noon)
            _ = try await storage.consents.erase(.ana, in: storage.acme)

            func change(_ record: ConsentRecord) -> RuleChange {
                .consent(
                    [ConsentChange(reference: reference, purpose: .tracking, status: .inForce(record.inForce))],
                    storage.acme)
            }
            let changes = try await storage.changes(after: start)
            #expect(
                changes.filter { $0 != .privacyControl(isHonored: true, storage.globex) } == [
                    .message(try #require(off).switchedOn), change(given), .message(try #require(off)),
                    .privacyControl(isHonored: false, storage.acme), change(withdrawn),
                    .recording([:], .restrictive, storage.globex), .erasure(reference, storage.acme),
                ])
        },
        Promise("a cursor gives every change once, in the observer's order, however many write at once") {
            storage in
            let start = try await storage.rules.snapshot().cursor
            _ = storage.observer.take()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<1500 {
                    group.addTask { try await storage.record(.refused, for: RecipientID("person\(number)")) }
                }
                try await group.waitForAll()
            }
            let told = storage.observer.take()
            #expect(told.count == 1500)
            #expect(RecordingObserver(told: try await storage.changes(after: start)).events == told)
            #expect(RecordingObserver(told: try await storage.changes(after: start)).events == told, "and again")
        },
        Promise("a page with nothing in it leaves the cursor where it is") { storage in
            let head = try await storage.rules.snapshot().cursor
            guard case .changes(let changes, let next) = try await storage.rules.poll(after: head) else {
                throw Missing()
            }
            #expect(changes.isEmpty)
            #expect(next == head)
        },
        Promise("of many withdrawals at once, each is in the feed by the time its call returns") { storage in
            let start = try await storage.rules.snapshot().cursor
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let record = try await storage.record(.withdrawn, for: RecipientID("person\(number)"))
                        let memory = RecordingObserver(told: try await storage.changes(after: start))
                        #expect(memory.takeChanges().contains { $0.status == .inForce(record.inForce) })
                    }
                }
                try await group.waitForAll()
            }
        },
        Promise("a write that is refused puts nothing into the feed") { storage in
            let key = IdempotencyFingerprint(
                key: [UInt8](repeating: 1, count: 32), body: [UInt8](repeating: 2, count: 32))
            _ = try await storage.messages.save(Message(name: "one"), in: storage.acme, at: .noon, fingerprint: key)
            let head = try await storage.rules.snapshot().cursor
            await #expect(throws: IdempotencyKeyTaken.self) {
                _ = try await storage.messages.save(Message(name: "two"), in: storage.acme, at: .noon, fingerprint: key)
            }
            #expect(try await storage.changes(after: head).isEmpty)
            #expect(try await storage.rules.snapshot().cursor == head)
        },
    ]

    private static let starting: [Promise] = [
        Promise("a snapshot and what is polled after it miss nothing, however many write at once") { storage in
            let snapshots = try await withThrowingTaskGroup(of: [RuleSnapshot].self) { group in
                group.addTask {
                    try await (0..<20).asyncMap { _ in try await storage.rules.snapshot() }
                }
                for worker in 0..<4 {
                    group.addTask {
                        for round in 0..<40 {
                            try await storage.change(worker, round)
                        }
                        return []
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(snapshots.count == 20)
            let known = RulesInMemory(storage.observer.events)
            for snapshot in snapshots {
                let memory = RecordingObserver()
                for change in snapshot.organizations.flatMap(\.changes) { change.notify(memory, memory) }
                for change in try await storage.changes(after: snapshot.cursor) { change.notify(memory, memory) }
                #expect(RulesInMemory(memory.events) == known)
            }
        },
        Promise("a cursor with another mark, and one that is ahead, are replaced") { storage in
            let start = try await storage.rules.snapshot().cursor
            try await storage.record(.given, for: .ana)
            let head = try await storage.rules.snapshot().cursor
            #expect(head.position > start.position)
            let unknown = [
                RuleCursor(position: head.position, mark: head.mark ^ 1),
                RuleCursor(position: start.position, mark: start.mark ^ 1),
                RuleCursor(position: head.position + 1, mark: head.mark),
                RuleCursor(position: .max, mark: head.mark),
            ]
            for cursor in unknown {
                guard case .replaced = try await storage.rules.poll(after: cursor) else {
                    Issue.record("\(cursor) is known")
                    continue
                }
            }
        },
        Promise("after the storage was opened again, a cursor from before is followed or replaced, and misses nothing")
        {
            storage in
            try await storage.record(.given, for: .bo)
            let before = try await storage.rules.snapshot()
            let memory = RecordingObserver()
            for change in before.organizations.flatMap(\.changes) { change.notify(memory, memory) }
            try await storage.record(.withdrawn, for: .ana)
            let reference = try #require(storage.observer.takeChanges().last).reference

            let reopened = try storage.reopen()
            try await reopened.record(.refused, for: .bo)
            let other = try #require(reopened.observer.takeChanges().last).reference
            do {
                for change in try await reopened.changes(after: before.cursor) { change.notify(memory, memory) }
            } catch is Replaced {
                for change in try await reopened.rules.snapshot().organizations.flatMap(\.changes) {
                    change.notify(memory, memory)
                }
            }
            let rules = RulesInMemory(memory.events)
            for known in [reference, other] {
                let end = rules.recordingEnd(of: RulesInMemory.Subject(known), in: storage.acme)
                #expect(end == .distantPast)
            }
        },
    ]
}

private struct Missing: Error {}
private struct Replaced: Error {}

extension StorageUnderTest {
    /// Everything after `cursor`, page by page.
    package func changes(after cursor: RuleCursor) async throws -> [RuleChange] {
        var (all, cursor): ([RuleChange], RuleCursor) = ([], cursor)
        while true {
            guard case .changes(let changes, let next) = try await rules.poll(after: cursor) else { throw Replaced() }
            if changes.isEmpty { return all }
            all += changes
            cursor = next
        }
    }

    /// One of many changes, by number. Nearly all are about somebody else, so that each that is missed is noticed.
    fileprivate func change(_ worker: Int, _ round: Int) async throws {
        switch (worker, round) {
        case (0, _) where round % 4 == 3: _ = try await consents.erase(person(worker, round - 1), in: acme)
        case (1, 4), (1, 8):
            let enforcement: Enforcement = round == 4 ? .nonRestrictive : .restrictive
            _ = try await organizations.change(acme, by: OrganizationChange(enforcement: enforcement), at: .noon)
        default:
            let state = ConsentState.allCases[(worker + round) % ConsentState.allCases.count]
            let end = state == .given ? Timestamp.noon + 60_000 : nil
            let purpose: Purpose = round.isMultiple(of: 3) ? .openTracking : .tracking
            try await record(state, for: person(worker, round), purpose: purpose, validUntil: end, at: .noon)
        }
    }

    private func person(_ worker: Int, _ round: Int) throws -> RecipientID {
        try RecipientID("person\(worker)-\(round)")
    }
}

extension StoredMessage {
    fileprivate var switchedOn: StoredMessage {
        var message = self
        message.isDisabled = false
        return message
    }
}

extension RecordingObserver {
    fileprivate convenience init(told changes: [RuleChange]) {
        self.init()
        for change in changes { change.notify(self, self) }
    }
}

extension Range<Int> {
    fileprivate func asyncMap<Value>(_ body: (Int) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await body(number)) }
        return values
    }
}
