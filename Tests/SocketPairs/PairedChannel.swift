import Glibc
package import NIOCore
import NIOPosix
import TestSupport

/// A channel of SwiftNIO at one end of a pair of sockets. The test has the other end.
package struct PairedChannel {
    package let ends: SocketPair
    package let channel: any Channel

    package static func run(_ body: (PairedChannel) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let ends = try SocketPair()
        let channel = try await ClientBootstrap(group: group).withConnectedSocket(ends.one).get()
        try await withCleanUp {
            try await body(PairedChannel(ends: ends, channel: channel))
        } cleanUp: {
            try? await channel.close()
            close(ends.other)
            try await group.shutdownGracefully()
        }
    }

    package func onLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await channel.eventLoop.submit(body).get()
    }
}
