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
        sockets: SocketParts, stored: StorageParts, ledgers: LedgerParts, recording: RecordingParts,
        useCases: UseCaseParts, settings: ServiceSettings, publicOrigin: PublicOrigin, times: RequestTimes,
        libraries: LibraryMetrics, group: any EventLoopGroup, departure: Departure, logger: Logger,
        onReady: @escaping @Sendable (ListenersReady.Addresses) -> Void
    ) async throws {
        let health = Health(
            roles: settings.roles, stored: stored, ledgers: ledgers, recording: recording, departure: departure)
        let address = ConsoleAddress(published: settings.consoleURL)
        let ready = ListenersReady(hasConsole: sockets.console != nil) { addresses in
            address.set(addresses.console)
            onReady(addresses)
        }
        publicListener = try await PublicListenerParts(
            sockets: sockets, stored: stored, recording: recording, useCases: useCases, health: health, times: times,
            group: group, logger: logger,
            onOpen: { channel in
                ready.didOpen(.publicListener, channel)
                ledgers.linksOpen.open()
            })
        privateListener = try await PrivateListenerParts(
            sockets: sockets, stored: stored, ledgers: ledgers, recording: recording, useCases: useCases,
            health: health, console: address, times: times,
            libraries: [libraries, EventLoopLag(of: group)], settings: settings, group: group, logger: logger,
            onOpen: { ready.didOpen(.privateListener, $0) })
        let operating = OperatingParts(
            stored: stored, ledgers: ledgers, recording: recording, useCases: useCases, health: health,
            settings: settings, publicOrigin: publicOrigin)
        console = try await ConsoleParts(
            sockets: sockets, stored: stored, ledgers: ledgers, recording: recording, useCases: useCases,
            operating: operating, settings: settings, group: group, logger: logger,
            onOpen: { ready.didOpen(.console, $0) })
    }
}
