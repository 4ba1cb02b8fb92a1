import HTTPConnections
import Logging
import NIOCore
import NIOPosix
import Redirect
import ServiceLifecycle
import TestSupport
import Testing

@testable import Service

@Suite struct ListenerTests {
    /// Leaves connections alone, and notes what it is told.
    private final class Connections: ListenerConnections {
        let added = Notes<any Channel>()
        let isQuiescing = Note(false)

        func configure(_ channel: any Channel, addRouter _: @escaping (any Channel) throws -> Void) throws {
            added.append(channel)
        }

        func quiesce() { isQuiescing.value = true }
        func closeAll() { for channel in added.all { channel.close(promise: nil) } }
    }

    /// Ends its group when it is told.
    private struct End: Service {
        let isDue: @Sendable () -> Bool

        func run() async throws { while !isDue() { await Task.yield() } }
    }

    private let connections = Connections()
    private let address = Note<SocketAddress?>(nil)

    private func listener(_ socket: ListeningSocket) -> Listener {
        Listener(
            socket: socket, connections: connections, router: RouterChannel { _, _, _ in }, limit: ConnectionLimit(8),
            bytesAtOnce: 16 << 10, group: .singletonMultiThreadedEventLoopGroup, logger: Logger(label: "test"),
            onOpen: { [address] in address.value = $0.localAddress })
    }

    private func socket() throws -> ListeningSocket {
        try ListeningSocket(ListenAddress(host: "127.0.0.1", port: 0), setting: "listen")
    }

    /// Connects as soon as the listener is open.
    private func connect() async throws -> any Channel {
        #expect(await eventually { address.value != nil }, "it listens")
        let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(to: try #require(address.value)).get()
        #expect(await eventually { connections.added.all.count == 1 }, "it was accepted")
        return client
    }

    private func group(_ listener: Listener, endsWhen isDue: @escaping @Sendable () -> Bool) -> ServiceGroup {
        ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: listener),
                    .init(service: End(isDue: isDue), successTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: Logger(label: "test")))
    }

    @Test("a listener whose socket was closed before it came to it is no error: it waits until the service ends")
    func closedBefore() async throws {
        let socket = try socket()
        socket.close()
        try await group(listener(socket), endsWhen: { true }).run()
        #expect(address.value == nil, "it was opened")
    }

    @Test("at the end of the service a listener tells its connections, and waits for those that never asked the router")
    func waits() async throws {
        let (mayEnd, hasEnded) = (Note(false), Note(false))
        let group = group(listener(try socket()), endsWhen: { mayEnd.value })
        let running = Task {
            try await group.run()
            hasEnded.value = true
        }
        let client = try await connect()
        mayEnd.value = true
        #expect(await eventually { connections.isQuiescing.value }, "it is told")
        #expect(!hasEnded.value)
        try await client.close()
        // The fake leaves the end of its peer alone, too.
        connections.closeAll()
        try await running.value
    }

    @Test("a listener that is ended by force closes its connections, also those that never asked the router")
    func byForce() async throws {
        let listener = listener(try socket())
        let running = Task { try await listener.run() }
        let client = try await connect()
        running.cancel()
        try await running.value
        try await client.closeFuture.get()
        #expect(connections.added.all.allSatisfy { !$0.isActive })
    }
}
