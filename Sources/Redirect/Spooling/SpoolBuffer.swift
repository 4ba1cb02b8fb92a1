import Interactions
import NIOCore

/// Collects the clicks and reports of one event loop. Those of one turn of the loop go to the writer together, and each
/// commit wakes the loop once for all that it made durable.
///
/// Belongs to its event loop.
final class SpoolBuffer {
    private let loop: any EventLoop
    private let writer: SpoolWriter
    let counters: RedirectCounters
    /// When the loop was last woken for a commit: read once for all clicks of the commit.
    private(set) var completedAt = NIODeadline.now()
    private var occurrences: [Occurrence] = []
    private var waiting = Waiters()
    /// The submissions without an answer, the oldest first. The writer completes them in this order, except one that it
    /// refuses at once.
    private var inFlight = CircularBuffer<InFlight>()
    private var isSubmissionDue = false
    private var isTimerScheduled = false
    private var lastTicket = 0

    private struct Waiters {
        /// Readers who followed a link.
        var readers: [any SpoolWaiter] = []
        /// Readers who opened a mail. They get the picture after the same time as those who followed a link.
        var openers: [any SpoolWaiter] = []
        /// Apps that report. They wait for the outcome of their report without a time limit.
        var apps: [any SpoolWaiter] = []
    }

    private struct InFlight {
        let ticket: Int
        let waiters: Waiters
        let submittedAt: NIODeadline
        /// Whether its readers have stopped waiting.
        var isAbandoned = false
    }

    private static let timeout = TimeAmount(SpoolWriter.maximumReaderWait)

    init(loop: any EventLoop, writer: SpoolWriter, counters: RedirectCounters = RedirectCounters()) {
        self.loop = loop
        self.writer = writer
        self.counters = counters
    }

    func append(_ click: Occurrence, for reader: any SpoolWaiter) {
        waiting.readers.append(reader)
        append(click)
    }

    func append(opening: Occurrence, for opener: any SpoolWaiter) {
        waiting.openers.append(opener)
        append(opening)
    }

    func append(report: Occurrence, for app: any SpoolWaiter) {
        waiting.apps.append(app)
        append(report)
    }

    private func append(_ occurrence: Occurrence) {
        occurrences.append(occurrence)
        guard !isSubmissionDue else { return }
        isSubmissionDue = true
        let buffer = NIOLoopBound(self, eventLoop: loop)
        loop.execute { buffer.value.submit() }
    }

    private func submit() {
        isSubmissionDue = false
        lastTicket += 1
        let ticket = lastTicket
        inFlight.append(InFlight(ticket: ticket, waiters: waiting, submittedAt: .now()))
        scheduleTimer()
        let batch = occurrences
        occurrences = []
        waiting = Waiters()
        occurrences.reserveCapacity(batch.count)
        let buffer = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        writer.submit(batch) { outcome in
            loop.execute { buffer.value.complete(ticket, outcome) }
        }
    }

    private func complete(_ ticket: Int, _ outcome: SpoolOutcome) {
        guard let index = inFlight.firstIndex(where: { $0.ticket == ticket }) else { return }
        let done = inFlight.remove(at: index)
        completedAt = .now()
        let (readers, openers) = (done.waiters.readers, done.waiters.openers)
        if done.isAbandoned {
            counters.completedLate(readers.count, outcome)
            counters.openingsCompletedLate(openers.count, outcome)
        } else {
            counters.completed(readers.count, outcome)
            counters.openingsCompleted(openers.count, outcome)
            for reader in readers { reader.spooled(outcome) }
            for opener in openers { opener.spooled(outcome) }
        }
        for app in done.waiters.apps { app.spooled(outcome) }
    }

    /// One timer, for the oldest submission, while any submission waits for the disk.
    private func scheduleTimer() {
        guard !isTimerScheduled, let oldest = inFlight.first(where: { !$0.isAbandoned }) else { return }
        isTimerScheduled = true
        let buffer = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(deadline: oldest.submittedAt + Self.timeout) { buffer.value.abandonOverdue() }
    }

    private func abandonOverdue() {
        isTimerScheduled = false
        let now = NIODeadline.now()
        completedAt = now
        for index in inFlight.indices where !inFlight[index].isAbandoned {
            guard now - inFlight[index].submittedAt >= Self.timeout else { break }
            inFlight[index].isAbandoned = true
            let waiters = inFlight[index].waiters.readers + inFlight[index].waiters.openers
            counters.abandoned(waiters.count)
            for reader in waiters { reader.spooled(.unrecorded(.stuck)) }
        }
        scheduleTimer()
    }
}

/// Waits until its click or report is durable. Called on its event loop.
protocol SpoolWaiter: AnyObject {
    func spooled(_ outcome: SpoolOutcome)
}
