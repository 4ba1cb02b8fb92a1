import Interactions
import NIOCore

/// Collects the clicks of one event loop: those of one turn of the loop go to the writer together, and the loop is woken
/// once for all that a commit made durable.
///
/// Belongs to its event loop.
final class SpoolLane {
    private let loop: any EventLoop
    private let writer: SpoolWriter
    private var occurrences: [Occurrence] = []
    private var waiting: [any SpoolWaiter] = []
    /// Who waits for which submission, the oldest first: the writer completes them in the order they were made.
    private var inFlight = CircularBuffer<InFlight>()
    private var isSubmissionDue = false

    private struct InFlight {
        let waiters: [any SpoolWaiter]
        let submittedAt: NIODeadline
        var isAbandoned = false
    }

    /// A reader waits for a stuck disk no longer than this; then they are sent on, and the click counts as unrecorded.
    private static let patience = TimeAmount.seconds(3)

    init(loop: any EventLoop, writer: SpoolWriter) {
        self.loop = loop
        self.writer = writer
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
        inFlight.append(InFlight(waiters: waiting, submittedAt: .now()))
        if inFlight.count == 1 { watch() }
        let batch = occurrences
        occurrences = []
        waiting = []
        occurrences.reserveCapacity(batch.count)
        let lane = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        writer.submit(batch) { outcome in
            loop.execute { lane.value.complete(outcome) }
        }
    }

    private func complete(_ outcome: SpoolOutcome) {
        let done = inFlight.removeFirst()
        guard !done.isAbandoned else { return }
        for waiter in done.waiters { waiter.spooled(outcome) }
    }

    /// Looks after submissions that a disk does not answer, for as long as there are any.
    private func watch() {
        let lane = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: Self.patience) { lane.value.abandonOverdue() }
    }

    private func abandonOverdue() {
        let now = NIODeadline.now()
        for place in inFlight.indices where !inFlight[place].isAbandoned {
            guard now - inFlight[place].submittedAt >= Self.patience else { break }
            inFlight[place].isAbandoned = true
            for waiter in inFlight[place].waiters { waiter.spooled(.unrecorded) }
        }
        if !inFlight.isEmpty { watch() }
    }
}

/// Whoever must not go on before its click is durable. Called on its event loop.
protocol SpoolWaiter: AnyObject {
    func spooled(_ outcome: SpoolOutcome)
}
