import HTTPConnections
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Redirect
import ServiceLifecycle

/// Accepts connections on one address until the service ends, and then waits for the open ones.
struct Listener<Connection: ServerChildChannel>: Service {
    let socket: ListeningSocket
    let connection: Connection
    let limit: ConnectionLimit
    /// The most bytes that are read from a connection at once. All of them are decoded before any request is answered:
    /// other connections of the thread wait meanwhile, and a request of 26 bytes takes some hundred bytes once decoded.
    let bytesAtOnce: Int
    let group: any EventLoopGroup
    let logger: Logger
    let onOpen: @Sendable (any Channel) -> Void
    /// Tells the open connections that the service ends.
    let quiesce: @Sendable () -> Void

    func run() async throws {
        // A service that is asked to end while it starts has closed its sockets, and stops its listeners in a moment.
        guard let server = try await bind() else { return try await gracefulShutdown() }
        onOpen(server.channel)
        try await withGracefulShutdownHandler {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { tasks in
                    for try await value in connections {
                        tasks.addTask { await connection.handle(value: value, logger: logger) }
                    }
                }
            }
        } onGracefulShutdown: {
            server.channel.close(promise: nil)
            quiesce()
        }
    }

    /// - Returns: `nil` if the socket is closed already.
    private func bind() async throws -> NIOAsyncChannel<Connection.Value, Never>? {
        guard let descriptor = try socket.listen() else { return nil }
        let received = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: bytesAtOnce)
        let bootstrap = ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: received)
            .serverChannelInitializer { [limit, group, logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptGuard(limit: limit, group: group, logger: logger))
                }
            }
        let setUp: @Sendable (any Channel) -> EventLoopFuture<Connection.Value> = { [connection, logger] channel in
            connection.setup(channel: channel, logger: logger)
        }
        return try await bootstrap.bind(descriptor, childChannelInitializer: setUp)
    }
}
