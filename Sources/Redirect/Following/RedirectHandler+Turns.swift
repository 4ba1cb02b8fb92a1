import Counting
import Formats
import HTTPConnections
import Identifiers
import NIOCore

/// The turns and answers of what ``DeviceReportHandler`` and ``PictureHandler`` take before the decoder.
extension RedirectHandler {
    /// Answers the report whose turn it is with success.
    func answerReport(to endpoint: DeviceEndpoint) {
        answerTurn { $0.success(of: endpoint, isLast: $1, at: $2) }
    }

    /// Answers the request whose turn it is with the picture.
    func answerPicture() { answerTurn { $0.picture(isLast: $1, at: $2) } }

    private func answerTurn(_ bytes: (inout ResponseWriter, Bool, Timestamp) -> ByteBuffer) {
        guard let context else { return }
        let isLast = machine.answer(RedirectRequest(), isLeaving: worker.registry.isLeaving)
        write(bytes(&worker.answers, isLast, worker.now), isLast: isLast, context)
    }

    /// A request that had to wait in its turn is answered.
    func turnAnswered() {
        if let context { resume(context) }
    }

    /// Gives the request whose turn it is, and which had to wait, to the router.
    func handTurnOver() {
        machine.leaveTurn()
        reader?.handOver()
        if let context { resume(context) }
    }

    /// The connection has ended within a report.
    func reportCutShort() { worker.counters.refused.add(1, .malformed) }
}
