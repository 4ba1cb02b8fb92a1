import Console
import HTTPAPI
import HTTPConnections
import HummingbirdCore
import Logging
import Messages
import NIOCore
import Redirect
import ServiceLifecycle
import UseCases

/// The console's listener, if there is one.
struct ConsoleParts {
    /// The listener and the services that its pages need, or none.
    let listeners: [any Service]

    init(
        of parts: ServingParts, operating: OperatingParts, onOpen: @escaping @Sendable (any Channel) -> Void
    ) async throws {
        let (settings, sockets, logger) = (parts.settings, parts.sockets, parts.logger)
        let (stored, ledgers, useCases) = (parts.stored, parts.ledgers, parts.useCases)
        guard let socket = sockets.console else {
            listeners = []
            return
        }
        let connections = try await PrivateConnections(
            group: parts.group, limit: sockets.consoleLimit, maximumRest: Request.maximumBodySize)
        let auditing = AuditingUseCases(
            accesses: PersonAccess(log: useCases.stores.accesses, now: stored.now),
            recording: useCases.consentRecording,
            interactions: LinkedInteractions(
                interactions: useCases.stores.interactions, messages: useCases.stores.messages),
            signer: ledgers.signer, proofs: ledgers.proofs, drain: parts.recording.drain,
            lastLedgerCheck: { [checker = ledgers.checker] in checker.lastPassEnd })
        let console = try Console(
            Console.UseCases(
                stores: useCases.stores, catalog: useCases.catalog, auditing: auditing,
                operations: operating.operations),
            sessions: useCases.sessions, wait: useCases.storeWait, provider: settings.consoleProvider,
            erasureKey: stored.erasureKey,
            publishedOrigin: settings.consoleURL?.text, now: stored.now,
            wallClock: { [clock = stored.clock.clock] in clock.wall })
        let responder = console.responder(logger: logger, wallClock: { .now })
        listeners =
            operating.services + [
                Listener(
                    socket: socket, connections: connections, router: RouterChannel(responder: responder),
                    limit: sockets.consoleLimit, bytesAtOnce: 16 << 10, group: parts.group, logger: logger,
                    onOpen: onOpen)
            ]
    }
}
