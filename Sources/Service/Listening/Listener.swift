import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Redirect
import ServiceLifecycle

/// Accepts connections on one address until the service ends, and then waits for those that are open.
struct Listener<Connection: ServerChildChannel>: Service {
    private static var backlog: CInt { 4096 }

    let address: ListenAddress
    /// A listening socket that another process made and keeps open (sd_listen_fds(3)); connections that come between
    /// two processes wait in its queue.
    let inherited: CInt?
    let connection: Connection
    let limit: ConnectionLimit
    let group: any EventLoopGroup
    let logger: Logger
    let onOpen: @Sendable (any Channel) -> Void
    /// Tells the open connections that the service ends.
    let quiesce: @Sendable () -> Void

    func run() async throws {
        let server = try await bind()
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

    private func bind() async throws -> NIOAsyncChannel<Connection.Value, Never> {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .serverChannelInitializer { [limit, group, logger] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptGuard(limit: limit, group: group, logger: logger))
                }
            }
        let setUp: @Sendable (any Channel) -> EventLoopFuture<Connection.Value> = { [connection, logger] channel in
            connection.setup(channel: channel, logger: logger)
        }
        if let inherited {
            return try await bootstrap.bind(inherited, childChannelInitializer: setUp)
        }
        return try await bootstrap.bind(host: address.host, port: address.port, childChannelInitializer: setUp)
    }
}
