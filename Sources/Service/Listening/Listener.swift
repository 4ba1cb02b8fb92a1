import HTTPConnections
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Redirect
import ServiceLifecycle

/// Accepts connections on one address until the service ends, and then waits for the open ones.
///
/// A connection has a task from its first request for the router on. Most connections of browsers bring one click and
/// have none.
struct Listener: Service {
    let socket: ListeningSocket
    let connections: any ListenerConnections
    let router: RouterChannel
    let limit: ConnectionLimit
    /// The most bytes that are read from a connection at once. All of them are decoded before any request is answered:
    /// other connections of the thread wait meanwhile, and a request of 26 bytes takes some hundred bytes once decoded.
    let bytesAtOnce: Int
    let group: any EventLoopGroup
    let logger: Logger
    let onOpen: @Sendable (any Channel) -> Void

    func run() async throws {
        // A service that is asked to end while it starts has closed its sockets, and stops its listeners in a moment.
        guard let descriptor = try socket.listen() else { return try await gracefulShutdown() }
        let (routed, queue) = AsyncStream.makeStream(of: RouterChannel.Value.self)
        let allClosed = group.any().makePromise(of: Void.self)
        let sockets = OpenSockets {
            queue.finish()
            allClosed.succeed()
        }
        let server: any Channel
        do {
            server = try await bootstrap(sockets, queue).withBoundSocket(descriptor).get()
        } catch {
            allClosed.fail(error)
            throw error
        }
        onOpen(server)
        await withGracefulShutdownHandler {
            await withTaskCancellationHandler {
                await serve(routed)
            } onCancel: {
                server.close(promise: nil)
                connections.closeAll()
            }
        } onGracefulShutdown: {
            server.close(promise: nil)
            connections.quiesce()
        }
        try await allClosed.futureResult.get()
    }

    private func serve(_ routed: AsyncStream<RouterChannel.Value>) async {
        await withDiscardingTaskGroup { tasks in
            for await value in routed { tasks.addTask { await router.handle(value: value, logger: logger) } }
        }
    }

    private func bootstrap(
        _ sockets: OpenSockets, _ queue: AsyncStream<RouterChannel.Value>.Continuation
    ) -> ServerBootstrap {
        let received = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: bytesAtOnce)
        return ServerBootstrap(group: group)
            .serverChannelInitializer { [limit, group, logger] channel in
                sockets.opened()
                channel.closeFuture.whenComplete { _ in sockets.closed() }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        AcceptGuard(limit: limit, sockets: sockets, group: group, logger: logger))
                }
            }
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    // Set here, and not by the bootstrap: each option of it costs a new connection four futures.
                    let options = channel.syncOptions
                    try options?.setOption(.allowRemoteHalfClosure, value: true)
                    try options?.setOption(.maxMessagesPerRead, value: 1)
                    try options?.setOption(.recvAllocator, value: received)
                    try connections.configure(channel) { channel in
                        serve(try router.add(to: channel, logger: logger), queue)
                    }
                }
            }
    }

    private func serve(_ value: RouterChannel.Value, _ queue: AsyncStream<RouterChannel.Value>.Continuation) {
        // Once the listener ends by force it takes nothing any more. The connection is closed, and its request ends.
        guard case .terminated = queue.yield(value) else { return }
        Task { await router.handle(value: value, logger: logger) }
    }
}
