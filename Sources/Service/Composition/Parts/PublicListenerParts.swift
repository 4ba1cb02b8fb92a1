import HTTPAPI
import Identifiers
import Interactions
import Logging
import NIOCore
import Redirect
import ServiceLifecycle
import UseCases

/// The public listener: links, device reports, pixels and the withdrawal page.
struct PublicListenerParts {
    let listener: any Service

    init(
        of parts: ServingParts, health: Health, times: RequestTimes,
        onOpen: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let (sockets, stored, logger) = (parts.sockets, parts.stored, parts.logger)
        let (recording, useCases) = (parts.recording, parts.useCases)
        let redirect = recording.redirect
        let api = PublicAPI(
            useCases.stores, recording: useCases.consentRecording, receipts: useCases.receipts,
            requesting: useCases.consentRequesting, keys: stored.keys, redirect: redirect,
            directory: recording.directory,
            writer: recording.writer, now: stored.now)
        let responder = try api.responder(
            knownReports: try await Self.recentReports(stored: stored, recording: recording), health: health,
            times: times, logger: logger, wallClock: { .now })
        listener = Listener(
            socket: sockets.publicListener, connections: redirect, router: RouterChannel(responder: responder),
            limit: sockets.publicLimit, bytesAtOnce: 16 << 10, group: parts.group, logger: logger, onOpen: onOpen)
    }

    /// What devices reported just before the start, so that a restart does not record a repeated report twice.
    private static func recentReports(
        stored: StorageParts, recording: RecordingParts
    ) async throws -> [Occurrence] {
        let since = stored.now() - PublicAPI.deduplicationWindow
        let known = stored.isUnavailable ? [] : try await stored.stores.interactions.reports(since: since)
        return try await known + recording.drain.undrainedReports(since: since)
    }
}
