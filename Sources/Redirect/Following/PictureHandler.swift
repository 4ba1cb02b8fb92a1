import Identifiers
import Interactions
import NIOCore
import TrackingIDs

/// Takes the plain requests of one connection for pictures of mails: records an opening as the picture's route does, and
/// answers with the picture.
///
/// It refuses nothing, and asks no store. A request that it does not take goes to the decoder and to the route, which
/// looks for the message and says what is wrong.
final class PictureHandler {
    private let redirect: RedirectHandler
    private let worker: RedirectWorker
    /// When the request came whose opening is on its way to the disk; `nil` without one.
    private var waitingSince: NIODeadline?

    init(redirect: RedirectHandler) {
        self.redirect = redirect
        worker = redirect.worker
    }

    /// - Parameter bytes: the bytes that `plain` was read from.
    func take(_ plain: PlainPicture, in bytes: Span<UInt8>) -> TurnTaking {
        guard redirect.machine.takeTurn() else { return redirect.machine.isClosing ? .ignored : .waitsForTurn }
        let since = NIODeadline.now()
        guard let id = worker.openPicture(bytes.extracting(plain.token)),
            let message = worker.knownMessage(id.message), !message.isDisabled
        else {
            redirect.machine.leaveTurn()
            return .declined
        }
        guard let opening = opening(of: id, on: message, plain.signals, at: since) else {
            note(since: since)
            redirect.answerPicture()
            return .answered
        }
        waitingSince = since
        worker.spoolBuffer.append(opening: opening, for: self)
        redirect.machine.waitInTurn()
        worker.times?.began(.picture)
        return .waits
    }

    /// - Returns: `nil` if the opening is not recorded.
    private func opening(
        of id: TrackingID, on message: LinkedMessage, _ signals: RequestSignals, at since: NIODeadline
    ) -> Occurrence? {
        let now = worker.now
        guard message.recordsOpening(of: id, signals: signals, at: now) else { return nil }
        guard worker.rate.consume(of: id.recipient, on: id.message, link: id.link, at: since) else {
            worker.counters.overRate()
            return nil
        }
        return .opening(of: id, signals: signals, at: now)
    }

    private func note(since: NIODeadline) {
        worker.times?.answered(.picture, nanoseconds: (NIODeadline.now() - since).nanoseconds)
    }
}

extension PictureHandler: SpoolWaiter {
    /// The reader gets the picture whether the opening could be recorded or not.
    func spooled(_: SpoolOutcome) {
        guard let since = waitingSince.take() else { return }
        worker.times?.ended(.picture)
        // As the route does, also for a reader who has gone.
        note(since: since)
        guard redirect.machine.resumeTurn() else { return }
        redirect.answerPicture()
        redirect.turnAnswered()
    }
}
