import Formats
import HTTPConnections
import Identifiers
import Interactions
import NIOCore
import TrackingIDs

/// The state of the redirect for one event loop: contexts of libcrypto, the date, the clicks and reports of this turn.
/// Clicks of two event loops share none of it.
///
/// Belongs to its event loop.
final class RedirectWorker {
    let spoolBuffer: SpoolBuffer
    let counters: RedirectCounters
    let registry: ConnectionRegistry
    /// Shared by all event loops.
    let rate: ClickRate
    var answers = ResponseWriter()
    /// Records the reports of devices.
    let reports: ReportRecording
    /// Counts and times the requests that are answered in place of the router.
    let times: (any AnsweredRouteTimes)?
    let agents = RecentAgents()
    let loop: any EventLoop

    private let directory: LinkDirectory
    private let keys: CurrentKeyRing
    private let clock: @Sendable () -> Timestamp
    private let report: @Sendable (RedirectFault) -> Void
    private var opener: TrackingIDOpener
    private var openerVersion: Int

    init(
        loop: any EventLoop, _ resources: RedirectResources, counters: RedirectCounters, rate: ClickRate = ClickRate(),
        reports: ReportRecording = ReportRecording(), times: (any AnsweredRouteTimes)? = nil
    ) throws {
        self.loop = loop
        (directory, keys) = (resources.directory, resources.keys)
        (clock, report) = (resources.clock, resources.report)
        self.counters = counters
        self.rate = rate
        self.reports = reports
        self.times = times
        registry = ConnectionRegistry(
            loop: loop, limit: resources.limit, timeout: .short, refused: counters.refused)
        spoolBuffer = SpoolBuffer(loop: loop, writer: resources.writer, counters: counters)
        openerVersion = keys.version
        opener = try TrackingIDOpener(keyRing: keys.value)
    }

    var now: Timestamp { clock() }

    /// The content of a token, or how to refuse one that is forged, names no link, or cannot be opened yet.
    func open(_ token: Span<UInt8>) -> LinkOpening {
        renewOpener()
        switch opener.open(token) {
        case .opened(let id, _): return id.link == .message ? .refused(.notFound) : .opened(id)
        case .refused(let reason): return .refused(keys.mayOpenLater(reason) ? .unavailable : .notFound)
        }
    }

    /// The content of the token in the address of a mail's picture; `nil` if it is forged, names a link, or cannot be
    /// opened yet.
    func openPicture(_ token: Span<UInt8>) -> TrackingID? {
        renewOpener()
        guard case .opened(let id, _) = opener.open(token), id.link == .message else { return nil }
        return id
    }

    /// The content of the tracking ID in a device's report; `nil` if it is forged, or cannot be opened yet.
    func open(_ id: SealedTrackingID) -> TrackingID? {
        renewOpener()
        return id.opened(by: opener).trackingID
    }

    /// The message of a genuine tracking ID, if the directory has it in memory.
    func knownMessage(_ id: MessageID) -> LinkedMessage? { directory.known(id, having: .message) }

    /// The message of a genuine link or tracking ID: at once if the directory has it in memory, else once it is found.
    func message(_ id: MessageID, having link: LinkIndex) -> DirectoryAnswer {
        if let message = directory.known(id, having: link) { return .known(message) }
        return .pending(
            loop.makeFutureWithTask { [directory, report] in
                do {
                    return try await directory.find(id, having: link).map(Found.message) ?? .nothing
                } catch {
                    report(.directoryFailed(error))
                    return .unavailable
                }
            })
    }

    enum DirectoryAnswer {
        case known(LinkedMessage)
        case pending(EventLoopFuture<Found>)
    }

    enum Found: Sendable {
        case message(LinkedMessage)
        case nothing
        case unavailable
    }

    private func renewOpener() {
        let version = keys.version
        guard version != openerVersion else { return }
        guard let fresh = try? TrackingIDOpener(keyRing: keys.value) else { return }
        opener = fresh
        openerVersion = version
    }
}
