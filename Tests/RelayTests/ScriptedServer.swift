import NIOCore
import NIOPosix
import Synchronization

/// Answers each connection with bytes, one piece after the other, and notes what it was sent.
struct ScriptedServer {
    let port: Int
    private let channel: any Channel
    private let box = Box()

    var text: String { box.text }

    init(_ pieces: [String], pause: TimeAmount, closes: Bool) async throws {
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [box] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        Script(pieces: pieces, pause: pause, closes: closes, box: box))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        port = channel.localAddress?.port ?? 0
    }

    func close() async throws { try await channel.close() }
}

private final class Box: Sendable {
    private let state = Mutex("")
    var text: String { state.withLock { $0 } }
    func append(_ text: String) { state.withLock { $0 += text } }
}

private final class Script: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    let pieces: [String]
    let pause: TimeAmount
    let closes: Bool
    let box: Box
    private var hasBegun = false

    init(pieces: [String], pause: TimeAmount, closes: Bool, box: Box) {
        (self.pieces, self.pause, self.closes, self.box) = (pieces, pause, closes, box)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        box.append(String(buffer: unwrapInboundIn(data)))
        guard !hasBegun else { return }
        hasBegun = true
        let channel = context.channel
        for (index, piece) in pieces.enumerated() {
            channel.eventLoop.scheduleTask(in: pause * index) {
                channel.writeAndFlush(ByteBuffer(string: piece), promise: nil)
            }
        }
        if closes { channel.eventLoop.scheduleTask(in: pause * pieces.count) { channel.close(promise: nil) } }
    }
}
