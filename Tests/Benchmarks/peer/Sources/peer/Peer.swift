import Glibc
import NIOCore
import NIOPosix

/// A server that answers every `GET` with the same 302 once 40 bytes about it are durable in a file.
///
///     peer PORT FILE
///
/// It verifies nothing, decides nothing and looks nothing up. It prints a line when it listens, and runs until it is
/// killed.
@main
enum Peer {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let port = Int(arguments[1]) else {
            print("usage: peer PORT FILE")
            exit(2)
        }
        let records = try RecordFile(path: arguments[2])
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(RedirectHandler(records: records))
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .wait()
        print("peer ready")
        fflush(nil)
        try listener.closeFuture.wait()
    }
}
