import Identifiers
import Interactions
import NIOCore
import TrackingIDs

/// Takes the plain requests of one connection for pictures of mails: records an opening as the picture's route does, and
/// answers with the picture.
///
/// It refuses nothing. A request that it does not take goes to the decoder and to the route, which says why.
final class PictureHandler {
    /// A genuine request that waits for the store or the spool.
    private struct Waiting {
        let id: TrackingID
        let signals: RequestSignals
        let since: NIODeadline
    }

    private enum Verdict {
        case picture
        /// The route must answer it.
        case declined
    }

    private let redirect: RedirectHandler
    private let worker: RedirectWorker
    private var waiting: Waiting?

    init(redirect: RedirectHandler) {
        self.redirect = redirect
        worker = redirect.worker
    }

    /// - Parameter bytes: the bytes that `plain` was read from.
    func take(_ plain: PlainPicture, in bytes: Span<UInt8>) -> TurnTaking {
        guard redirect.machine.takeTurn() else { return redirect.machine.isClosing ? .ignored : .waitsForTurn }
        let since = NIODeadline.now()
        switch judge(plain, in: bytes, since: since) {
        case .picture:
            answer(since: since)
            return .answered
        case nil:
            redirect.machine.waitInTurn()
            worker.times?.began(.picture)
            return .waits
        case .declined:
            redirect.machine.leaveTurn()
            return .declined
        }
    }

    // MARK: Judging

    // Returns nil while the request waits for the store or the spool.

    private func judge(_ plain: PlainPicture, in bytes: Span<UInt8>, since: NIODeadline) -> Verdict? {
        guard let id = worker.openPicture(bytes.extracting(plain.token)) else { return .declined }
        let request = Waiting(id: id, signals: plain.signals, since: since)
        switch worker.message(id.message, having: .message) {
        case .known(let message): return judge(request, of: message)
        case .pending(let future):
            waiting = request
            let bound = NIOLoopBound(self, eventLoop: worker.loop)
            future.whenSuccess { bound.value.lookedUp($0) }
            return nil
        }
    }

    private func judge(_ request: Waiting, of message: LinkedMessage) -> Verdict? {
        guard !message.isDisabled else { return .declined }
        let now = worker.now
        guard message.recordsOpening(of: request.id, signals: request.signals, at: now) else { return .picture }
        guard
            worker.rate.consume(
                of: request.id.recipient, on: request.id.message, link: request.id.link, at: request.since)
        else {
            worker.counters.overRate()
            return .picture
        }
        waiting = request
        worker.spoolBuffer.append(opening: .opening(of: request.id, signals: request.signals, at: now), for: self)
        return nil
    }

    // MARK: What was waited for

    private func lookedUp(_ found: RedirectWorker.Found) {
        guard let request = waiting else { return }
        switch found {
        case .message(let message): proceed(judge(request, of: message))
        case .nothing, .unavailable: proceed(.declined)
        }
    }

    private func proceed(_ verdict: Verdict?) {
        guard let verdict, let request = waiting else { return }
        waiting = nil
        worker.times?.ended(.picture)
        guard redirect.machine.resumeTurn() else { return }
        switch verdict {
        case .picture:
            answer(since: request.since)
            redirect.turnAnswered()
        case .declined: redirect.handTurnOver()
        }
    }

    private func answer(since: NIODeadline) {
        worker.times?.answered(.picture, nanoseconds: (NIODeadline.now() - since).nanoseconds)
        redirect.answerPicture()
    }
}

extension PictureHandler: SpoolWaiter {
    /// The reader gets the picture whether the opening could be recorded or not.
    func spooled(_: SpoolOutcome) { proceed(.picture) }
}
