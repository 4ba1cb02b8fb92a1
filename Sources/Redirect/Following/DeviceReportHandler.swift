import Formats
import Identifiers
import Interactions
import NIOCore
import TrackingIDs

/// Takes the plain reports of one connection: records a report as its route does, and tells the app that it was taken.
///
/// It refuses nothing, and asks no store. A report that it does not take goes to the decoder and to its route, which
/// looks for a message that is not in memory, and says what is wrong. So does a report that could not be made durable;
/// the route tries once more.
final class DeviceReportHandler {
    private enum Verdict {
        /// It was taken.
        /// - outcome: the outcome to count; `nil` if the recipient is not tracked.
        case taken(DeviceReportOutcome?)
        /// The route must answer it.
        /// - as: the outcome to count if the connection has ended meanwhile, so that the route cannot be asked.
        case declined(as: DeviceReportOutcome)

        init(isStored: Bool) { self = isStored ? .taken(.recorded) : .declined(as: .unavailable) }
    }

    /// A genuine report that waits for the spool or an equal report.
    private struct Waiting {
        let route: ReportRoute
        let since: NIODeadline
        /// The occurrence that is on its way to the disk.
        var occurrence: Occurrence?
    }

    private let redirect: RedirectHandler
    private let worker: RedirectWorker
    private var waiting: Waiting?

    init(redirect: RedirectHandler) {
        self.redirect = redirect
        worker = redirect.worker
    }

    private var recording: ReportRecording { worker.reports }

    /// - Parameter bytes: the bytes that `plain` was read from.
    func take(_ plain: PlainReport, in bytes: Span<UInt8>) -> TurnTaking {
        guard redirect.machine.takeTurn() else { return redirect.machine.isClosing ? .ignored : .waitsForTurn }
        let since = NIODeadline.now()
        switch judge(plain, in: bytes, since: since) {
        case .taken(let outcome):
            answer(plain.route, outcome, since: since)
            return .answered
        case nil:
            redirect.machine.waitInTurn()
            worker.times?.began(.report(plain.route))
            return .waits
        case .declined:
            redirect.machine.leaveTurn()
            return .declined
        }
    }

    // MARK: Judging

    // Returns nil while the report waits for the spool or the report that it repeats.

    private func judge(_ plain: PlainReport, in bytes: Span<UInt8>, since: NIODeadline) -> Verdict? {
        guard let (reading, organization) = plain.content(in: bytes) else { return .declined(as: .invalid) }
        guard case .report(let report) = reading else { return .taken(nil) }
        guard let id = worker.open(report.trackingID), report.speaks(of: id),
            let message = worker.knownMessage(id.message)
        else { return .declined(as: .foreign) }
        let plan = DeviceReportPlan(
            report, id, of: message, for: organization, hasGlobalPrivacyControl: plain.hasGlobalPrivacyControl,
            at: worker.now)
        switch plan {
        case .foreign: return .declined(as: .foreign)
        case .skip: return .taken(.notPermitted)
        case .record(let occurrence): return record(occurrence, of: Waiting(route: plain.route, since: since))
        }
    }

    private func record(_ occurrence: Occurrence, of report: Waiting) -> Verdict? {
        switch recording.deduplicator.begin(occurrence) {
        case .isRepeat: return .taken(.recorded)
        case .isPending:
            let bound = NIOLoopBound(self, eventLoop: worker.loop)
            let known = recording.deduplicator.whenStored(occurrence) { isStored in
                bound.eventLoop.execute { bound.value.proceed(Verdict(isStored: isStored)) }
            }
            guard let known else {
                waiting = report
                return nil
            }
            return Verdict(isStored: known)
        case .isNew:
            waiting = report
            waiting?.occurrence = occurrence
            worker.spoolBuffer.append(report: occurrence, for: self)
            return nil
        }
    }

    // MARK: What was waited for

    private func proceed(_ verdict: Verdict) {
        guard let report = waiting else { return }
        waiting = nil
        worker.times?.ended(.report(report.route))
        let isConnected = redirect.machine.resumeTurn()
        switch verdict {
        case .taken(let outcome) where isConnected:
            answer(report.route, outcome, since: report.since)
            redirect.turnAnswered()
        case .taken(let outcome): note(report.route, outcome, since: report.since)
        case .declined where isConnected: redirect.handTurnOver()
        case .declined(let outcome): recording.counters.count(outcome)
        }
    }

    private func answer(_ route: ReportRoute, _ outcome: DeviceReportOutcome?, since: NIODeadline) {
        note(route, outcome, since: since)
        redirect.answerReport(to: route.endpoint)
    }

    private func note(_ route: ReportRoute, _ outcome: DeviceReportOutcome?, since: NIODeadline) {
        if let outcome { recording.counters.count(outcome) }
        worker.times?.answered(.report(route), nanoseconds: (NIODeadline.now() - since).nanoseconds)
    }
}

extension DeviceReportHandler: SpoolWaiter {
    func spooled(_ outcome: SpoolOutcome) {
        guard let occurrence = waiting?.occurrence else { return }
        recording.deduplicator.end(occurrence, isStored: outcome == .recorded)
        proceed(Verdict(isStored: outcome == .recorded))
    }
}
