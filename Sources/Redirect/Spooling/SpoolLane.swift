import Interactions
import NIOCore

/// Collects the clicks of one event loop: those of one turn of the loop go to the writer together, and the loop is woken
/// once for all that a commit made durable.
///
/// Belongs to its event loop.
final class SpoolLane {
    private let loop: any EventLoop
    private let writer: SpoolWriter
    let tally: RedirectTally
    /// When the loop was last woken for a commit: read once for all clicks of the commit.
    private(set) var completedAt = NIODeadline.now()
    private var occurrences: [Occurrence] = []
    private var waiting: [any SpoolWaiter] = []
    /// Who waits for which submission, the oldest first. The writer completes them in the order they were made, but
    /// for one that it turns away.
    private var inFlight = CircularBuffer<InFlight>()
    private var isSubmissionDue = false
    private var isWatching = false
    private var lastTicket = 0

    private struct InFlight {
        let ticket: Int
        let waiters: [any SpoolWaiter]
        let submittedAt: NIODeadline
        var isAbandoned = false
    }

    /// A reader waits for a stuck disk no longer than this; then they are sent on, and the click counts as unrecorded.
    private static let patience = TimeAmount.seconds(3)

    init(loop: any EventLoop, writer: SpoolWriter, tally: RedirectTally = RedirectTally()) {
        self.loop = loop
        self.writer = writer
        self.tally = tally
    }

    func append(_ occurrence: Occurrence, for waiter: any SpoolWaiter) {
        occurrences.append(occurrence)
        waiting.append(waiter)
        guard !isSubmissionDue else { return }
        isSubmissionDue = true
        let lane = NIOLoopBound(self, eventLoop: loop)
        loop.execute { lane.value.submit() }
    }

    private func submit() {
        isSubmissionDue = false
        lastTicket += 1
        let ticket = lastTicket
        inFlight.append(InFlight(ticket: ticket, waiters: waiting, submittedAt: .now()))
        watch()
        let batch = occurrences
        occurrences = []
        waiting = []
        occurrences.reserveCapacity(batch.count)
        let lane = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        writer.submit(batch) { outcome in
            loop.execute { lane.value.complete(ticket, outcome) }
        }
    }

    private func complete(_ ticket: Int, _ outcome: SpoolOutcome) {
        guard let place = inFlight.firstIndex(where: { $0.ticket == ticket }) else { return }
        let done = inFlight.remove(at: place)
        guard !done.isAbandoned else { return tally.completedLate(done.waiters.count, outcome) }
        tally.completed(done.waiters.count, outcome)
        completedAt = .now()
        for waiter in done.waiters { waiter.spooled(outcome) }
    }

    /// Looks after submissions that a disk does not answer, for as long as there are any: one timer, for the oldest.
    private func watch() {
        guard !isWatching, let oldest = inFlight.first(where: { !$0.isAbandoned }) else { return }
        isWatching = true
        let lane = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(deadline: oldest.submittedAt + Self.patience) { lane.value.abandonOverdue() }
    }

    private func abandonOverdue() {
        isWatching = false
        let now = NIODeadline.now()
        completedAt = now
        for place in inFlight.indices where !inFlight[place].isAbandoned {
            guard now - inFlight[place].submittedAt >= Self.patience else { break }
            inFlight[place].isAbandoned = true
            tally.abandoned(inFlight[place].waiters.count)
            for waiter in inFlight[place].waiters { waiter.spooled(.unrecorded(.stuck)) }
        }
        watch()
    }
}

/// Whoever must not go on before its click is durable. Called on its event loop.
protocol SpoolWaiter: AnyObject {
    func spooled(_ outcome: SpoolOutcome)
}
