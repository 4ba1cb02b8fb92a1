import Counting
import Formats
import HTTPConnections
import NIOCore

/// The turns and answers of device reports, which ``DeviceReportHandler`` takes before the decoder.
extension RedirectHandler {
    /// Answers the report whose turn it is with success.
    func answerReport(to endpoint: DeviceEndpoint) {
        guard let context else { return }
        let isLast = machine.answer(RedirectRequest(), isLeaving: worker.registry.isLeaving)
        let bytes = worker.answers.success(of: endpoint, isLast: isLast, at: worker.now)
        write(bytes, isLast: isLast, context)
    }

    /// A report that had to wait is answered.
    func reportAnswered() {
        if let context { resume(context) }
    }

    /// Gives the report whose turn it is, and which had to wait, to the router.
    func handReportOver() {
        machine.leaveReport()
        reader?.handOver()
        if let context { resume(context) }
    }

    /// The connection has ended within a report.
    func reportCutShort() { worker.counters.refused.add(1, .malformed) }
}
