import Consent
import Identifiers
import Interactions
import Messages
import Organizations
import TestSupport
import Testing

@testable import Redirect

@Suite struct DrainTests {
    /// A drain over a spool and stores in memory.
    struct Bench: Sendable {
        let spool: FakeSpool
        let messages: FakeMessageStore
        let consent = FakeConsentStore()
        let interactions = FakeInteractionStore()
        let faults = FaultList()
        let forgotten = Note<[Occurrence]>([])
        let writer: SpoolWriter
        let drain: Drain
        let rules = RecordingRulesTable()

        init(
            leftovers: [Occurrence] = [], spool: FakeSpool? = nil, purpose: Purpose = .tracking,
            purposes: MessagePurposes? = nil, enforcement: Enforcement = .restrictive,
            times: OccurrenceTimes = OccurrenceTimes(), retention: Retention? = nil, trustedTime: Timestamp? = nil,
            timeouts: Drain.Timeouts = Drain.Timeouts(catchUp: .seconds(60), erasure: .seconds(60))
        ) throws {
            let spool = spool ?? FakeSpool(leftovers: leftovers)
            self.spool = spool
            messages = FakeMessageStore(try .sample(purpose: purpose, purposes: purposes))
            let signal = WakeUpSignal()
            let faults = faults
            let report: @Sendable (RedirectFault) -> Void = { faults.add($0) }
            writer = SpoolWriter(spool: spool, onCommit: { _ in signal.raise() }, report: report)
            drain = Drain(
                spool: spool, writer: writer, commits: signal,
                judge: DrainJudge(
                    directory: LinkDirectory(store: messages, table: LinkTable(rules: rules)),
                    organizations: FakeOrganizationStore(
                        try .acme(), .init(enforcement, since: .distantPast), retention: retention),
                    consent: consent, interactions: interactions, times: times, now: { .noon },
                    trustedTime: { trustedTime }),
                timeouts: timeouts, forgetReports: { [forgotten] in forgotten.value += $0 }, report: report)
            try know(.given, 1...9)
        }

        func know(_ state: ConsentState, _ recipients: ClosedRange<UInt64>) throws {
            for number in recipients {
                let consent = ConsentInForce(
                    record: try #require(ConsentRecordID(rawValue: number)), state: state, occurredAt: .noon,
                    validUntil: nil)
                self.consent.set(try .sample(number), .inForce(consent))
            }
        }

        /// Returns when the clicks are in the spool.
        func spool(_ clicks: Occurrence...) async throws { try await spool(clicks) }

        func spool(_ clicks: [Occurrence]) async throws {
            let writer = writer
            let outcome = await withCheckedContinuation { continuation in
                writer.submit(clicks) { continuation.resume(returning: $0) }
            }
            #expect(outcome == .recorded)
        }

        var stored: Set<UInt64> { Set(interactions.stored.values.map(\.recipient.rawValue)) }

        func running(_ body: () async throws -> Void) async throws {
            let drain = drain
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await drain.run() }
                try await withCleanUp(body) {
                    group.cancelAll()
                    try await group.waitForAll()
                }
            }
        }
    }

    @Test("a click becomes an interaction, and leaves the spool")
    func drains() async throws {
        let bench = try Bench()
        try await bench.running {
            try await bench.spool(.click(by: 1), .click(by: 2))
            #expect(await eventually { bench.stored == [1, 2] })
            #expect(await eventually { bench.spool.held.isEmpty })
            try await bench.spool(.click(by: 3))
            #expect(await eventually { bench.stored == [1, 2, 3] })
        }
        #expect(bench.faults.count == 0)
    }

    @Test("what is not permitted by what is known now is dropped, and leaves the spool too")
    func drops() async throws {
        let bench = try Bench()
        try bench.know(.withdrawn, 2...2)
        try await bench.spool(.click(by: 1), .click(by: 2), .click(by: 77), .click(by: 3, on: 99))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored == [1])
        #expect(await eventually { bench.spool.held.isEmpty })
    }

    @Test("reports of devices that are dropped are told, links that were followed and what is stored are not")
    func droppedReports() async throws {
        let bench = try Bench()
        try bench.know(.withdrawn, 2...2)
        let reports = try [1, 2].map { recipient in
            Occurrence(
                kind: .pushNotificationClicked, source: .dynamics365, occurredAt: .noon, message: try .sample(1),
                recipient: try .sample(recipient), link: .message, visitor: .deviceReport)
        }
        try await bench.spool([try .click(by: 2)] + reports)
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.forgotten.value == [reports[1]])
        #expect(bench.stored == [1])
    }

    @Test("nothing is stored for a message that tracks no recipient, whatever its links say")
    func untracked() async throws {
        let bench = try Bench()
        bench.messages.put(try .sample(tracking: false))
        try await bench.spool(.click(by: 1))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.stored.isEmpty)
        #expect(await eventually { bench.spool.held.isEmpty })
    }

    @Test("the store is not called for nothing")
    func allDropped() async throws {
        let bench = try Bench()
        try await bench.spool(.click(by: 77))
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.interactions.calls == 0)
        #expect(await eventually { bench.spool.held.isEmpty })
    }

    @Test("the consent store is asked about the purpose of what was done")
    func purposes() async throws {
        let purposes = try MessagePurposes(clicks: Purpose("mail"), opens: Purpose("opens"))
        let bench = try Bench(purposes: purposes)
        let done = try InteractionKind.allCases.map { kind in
            Occurrence(
                kind: kind, source: .bird, occurredAt: .noon, message: try .sample(1), recipient: try .sample(1),
                link: .message, visitor: .deviceReport)
        }
        try await bench.spool(done)
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.consent.questions.map(\.purpose) == InteractionKind.allCases.map { purposes[$0.activity] })
    }

    @Test("the consent store is asked about the message's purpose and the moment of the click")
    func questions() async throws {
        let bench = try Bench(purpose: Purpose("mail"))
        try await bench.spool(.click(by: 1, at: .noon + -5000))
        try await bench.drain.finish(within: .seconds(60))
        #expect(
            try bench.consent.questions == [
                ReferenceQuestion(
                    reference: .sample(1), purpose: Purpose("mail"), instant: .noon + -5000,
                    organization: OrganizationID("acme"))
            ])
    }

    @Test("what a former process left in the spool is drained without a new click")
    func leftovers() async throws {
        let bench = try Bench(leftovers: [.click(by: 1), .click(by: 2)])
        try await bench.running {
            #expect(await eventually { bench.stored == [1, 2] })
        }
    }

    @Test("after a failure it repeats itself, and stores nothing twice", arguments: [true, false])
    func repeats(_ failsAfterStoring: Bool) async throws {
        let bench = try Bench()
        if failsAfterStoring {
            bench.interactions.fail(.afterStoring, .afterStoring)
        } else {
            bench.interactions.fail(.beforeStoring, .beforeStoring)
        }
        try await bench.running {
            try await bench.spool(.click(by: 1), .click(by: 1))
            #expect(await eventually { bench.interactions.calls >= 3 })
            #expect(await eventually { bench.spool.held.isEmpty })
        }
        #expect(bench.interactions.calls == 3)
        #expect(bench.interactions.stored.count == 2)
        #expect(bench.faults.count == 2)
        #expect(bench.spool.events.filter { $0 != .append(count: 2) } == [.remove(SpoolPosition(rawValue: 1))])
    }

    @Test("a click is not dropped because its message cannot be asked for")
    func outageOfMessages() async throws {
        let bench = try Bench()
        bench.messages.isOut = true
        try await bench.running {
            try await bench.spool(.click(by: 1))
            #expect(await eventually { bench.faults.count >= 1 })
            #expect(bench.spool.held.count == 1)
            bench.messages.isOut = false
            #expect(await eventually { bench.stored == [1] })
        }
    }

    @Test("finishing drains all there is, however much, in order")
    func finish() async throws {
        let bench = try Bench()
        for _ in 0..<5 {
            try await bench.spool(Array(repeating: try .click(by: 1), count: 1500))
        }
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.interactions.stored.count == 7500)
        #expect(bench.interactions.calls > 1, "in batches")
        #expect(await eventually { bench.spool.held.isEmpty })
    }

    @Test(
        "while many wait it stores ever more at once, unless their messages are many",
        arguments: [(1_000, 6_000), (1_001, 2_000)])
    func largeBatches(messages: UInt64, largest: Int) async throws {
        let bench = try Bench()
        for number in 1...messages { bench.messages.put(try .sample(number)) }
        let clicks = try (0..<30_000).map { try Occurrence.click(by: 1, on: $0 % messages + 1) }
        for start in stride(from: 0, to: clicks.count, by: 500) {
            try await bench.spool(Array(clicks[start..<start + 500]))
        }
        try await bench.drain.finish(within: .seconds(60))
        #expect(bench.interactions.sizes.first == 2_000)
        #expect(bench.interactions.sizes.max() == largest)
        // No longer many.
        #expect(bench.interactions.sizes.last == 2_000)
        #expect(bench.interactions.stored.count == 30_000)
    }

    @Test("finishing ends when its time is over, and leaves the rest in the spool")
    func finishInTime() async throws {
        let bench = try Bench()
        for _ in 0..<3 { try await bench.spool(Array(repeating: try .click(by: 1), count: 1500)) }
        try await bench.drain.finish(within: .zero)
        #expect(bench.interactions.calls == 1)
        #expect(!bench.spool.held.isEmpty)
    }

    @Test("who asks what happened is told of every click spooled before, under load too")
    func catchUp() async throws {
        let bench = try Bench()
        try await bench.running {
            // More in one moment than the drain calls load.
            for _ in 0..<3 {
                try await bench.spool(Array(repeating: try .click(by: 2), count: 2000))
                try await Task.sleep(for: DrainThrottle.interval)
            }
            try await bench.spool(.click(by: 1))
            await bench.drain.catchUp()
            #expect(bench.stored.contains(1))
        }
    }

    @Test("who asks what happened does not wait for a drain that gets nowhere")
    func catchUpGivesUp() async throws {
        let bench = try Bench(timeouts: Drain.Timeouts(catchUp: .milliseconds(20), erasure: .seconds(60)))
        try await bench.spool(.click(by: 1))
        // Nobody drains; this returns all the same.
        await bench.drain.catchUp()
        #expect(bench.stored.isEmpty)
    }

    @Test("what devices reported and is not drained yet is known, links that were followed are not among it")
    func undrainedReports() async throws {
        let bench = try Bench()
        let report = Occurrence(
            kind: .pushNotificationReceived, source: .dynamics365, occurredAt: .noon, message: try .sample(1),
            recipient: try .sample(7), link: .message, visitor: .browserAgent)
        // As many as one read gives.
        try await bench.spool([report] + Array(repeating: try .click(by: 1), count: 1999))
        try await bench.spool(.click(by: 1), report)
        #expect(try await bench.drain.undrainedReports(since: .distantPast) == [report, report])
    }

    @Test("finishing fails when the store does, and the clicks stay in the spool")
    func failedFinish() async throws {
        let bench = try Bench()
        bench.interactions.fail(.beforeStoring)
        try await bench.spool(.click(by: 1))
        await #expect(throws: Outage.self) { try await bench.drain.finish(within: .seconds(60)) }
        #expect(bench.spool.held.count == 1)
    }

    @Test("it stops when it is cancelled, waiting or not")
    func cancellation() async throws {
        let bench = try Bench()
        // Returns only once the drain has.
        try await bench.running { try await Task.sleep(for: .milliseconds(150)) }
        #expect(bench.stored.isEmpty)
    }
}
