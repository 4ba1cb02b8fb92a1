import CoreMetrics
import HTTPAPI
import Identifiers
import Logging
import Messages
import NIOCore
import Redirect
import ServiceLifecycle
import UseCases

/// All listeners: the public one, the private one, and the console's if there is one.
struct ListenerParts {
    let publicListener: PublicListenerParts
    let privateListener: PrivateListenerParts
    let console: ConsoleParts

    /// - Parameters:
    ///   - times: the times of the requests of both routers.
    ///   - libraries: the metrics of the libraries.
    ///   - departure: the end of the process.
    ///   - onReady: called once, when all are bound, with their addresses.
    init(
        of parts: ServingParts, times: RequestTimes, libraries: LibraryMetrics, departure: Departure,
        onReady: @escaping @Sendable (ListenersReady.Addresses) -> Void
    ) async throws {
        let health = Health(
            roles: parts.settings.roles, stored: parts.stored, ledgers: parts.ledgers, recording: parts.recording,
            departure: departure)
        let address = ConsoleAddress(published: parts.settings.consoleURL)
        let ready = ListenersReady(hasConsole: parts.sockets.console != nil) { addresses in
            address.set(addresses.console)
            onReady(addresses)
        }
        publicListener = try await PublicListenerParts(
            of: parts, health: health, times: times,
            onOpen: { [linksOpen = parts.ledgers.linksOpen] channel in
                ready.didOpen(.publicListener, channel)
                linksOpen.open()
            })
        privateListener = try await PrivateListenerParts(
            of: parts, health: health, console: address, times: times,
            libraries: [libraries, EventLoopLag(of: parts.group)],
            onOpen: { ready.didOpen(.privateListener, $0) })
        console = try await ConsoleParts(
            of: parts, operating: OperatingParts(of: parts, health: health),
            onOpen: { ready.didOpen(.console, $0) })
    }
}
