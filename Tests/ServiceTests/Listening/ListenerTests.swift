import HTTPConnections
import Logging
import NIOCore
import NIOPosix
import Redirect
import ServiceLifecycle
import Testing

@testable import Service

@Suite struct ListenerTests {
    /// Takes no connections.
    private struct NoConnections: ListenerConnections {
        func configure(_ channel: any Channel, addRouter: @escaping (any Channel) throws -> Void) throws {}
        func beginLeaving() {}
        func quiesce() {}
        func closeAll() {}
    }

    /// Ends its group at once.
    private struct End: Service {
        func run() async throws { await Task.yield() }
    }

    @Test("a listener whose socket was closed before it came to it is no error: it waits until the service ends")
    func closedBefore() async throws {
        let socket = try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "listen")
        socket.close()
        let listener = Listener(
            socket: socket, connections: NoConnections(), router: RouterChannel { _, _, _ in },
            limit: ConnectionLimit(1),
            bytesAtOnce: 1024, group: .singletonMultiThreadedEventLoopGroup, logger: Logger(label: "test"),
            onOpen: { _ in Issue.record("it was opened") })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: listener),
                    .init(service: End(), successTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: Logger(label: "test")))
        try await group.run()
    }
}
