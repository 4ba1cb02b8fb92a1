import Counting
import HTTPAPI
import HTTPConnections
import HummingbirdCore
import Logging
import NIOCore
import Redirect
import ServiceLifecycle
import UseCases

/// The private listener: backends, auditors and the operator.
struct PrivateListenerParts {
    let listener: any Service
    let connections: PrivateConnections

    /// - Parameter libraries: the metrics of the libraries.
    init(
        of parts: ServingParts, health: Health, console: ConsoleAddress, times: RequestTimes,
        libraries: [any MetricSource], onOpen: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let (settings, sockets, logger) = (parts.settings, parts.sockets, parts.logger)
        let (stored, recording, useCases) = (parts.stored, parts.recording, parts.useCases)
        let connections = try await PrivateConnections(
            group: parts.group, limit: sockets.privateLimit, maximumRest: Request.maximumBodySize)
        let own: [any MetricSource] = [
            recording.redirect.metrics, recording.redirect.reportMetrics, recording.writer, useCases.decisions,
            useCases.consentRecording, useCases.consentRequesting, useCases.deliveries.metrics, times,
            ReadinessMetrics(health: health), ProcessMetrics(), LogMetrics(),
            StorageMetrics(
                dataFolder: settings.dataFolder, folder: stored.folder.id, backups: settings.backupPath,
                lostSpoolCommits: stored.leftInSpool.lostCommits, bytesOnServer: stored.bytesOnServer),
            recording.retentionLag, recording.jobs,
            NodeMetrics(shared: stored.shared, mirror: stored.memory.mirror, unjudged: stored.unjudgedClicks),
            parts.ledgers.signer, parts.ledgers.checker, stored.clock, connections,
        ]
        let api = PrivateAPI(
            useCases.stores, useCases.privateAPI, drain: recording.drain, keys: stored.keys, now: stored.now,
            recordingTime: { [clock = stored.clock.clock] in clock.recordingTime },
            isServed: settings.roles.contains(.api),
            makeSignInLink: { [sessions = useCases.sessions] in
                try await console.makeSignInLink(sessions, at: $0)
            },
            noteKeyUse: { [uses = useCases.keyUses] in uses.note($0) })
        let responder = api.responder(
            operatorKey: stored.operatorKey, health: health, metrics: own + libraries, times: times,
            workThreads: max(2, System.coreCount), logger: logger, wallClock: { .now })
        listener = Listener(
            socket: sockets.privateListener, connections: connections, router: RouterChannel(responder: responder),
            limit: sockets.privateLimit, bytesAtOnce: 64 << 10, group: parts.group, logger: logger, onOpen: onOpen)
        self.connections = connections
    }
}
