import Glibc
import NIOCore
import NIOEmbedded
import SocketPairs
import Testing

@testable import Redirect

/// What the kernel takes of an answer, and whose socket it goes to.
@Suite struct ResponseSocketTests {
    @Test("the kernel has an answer once it is sent")
    func whole() async throws {
        try await PairedChannel.run { pair in
            let socket = try await makeSocket(pair)
            #expect(try await send(Array("an answer".utf8), through: socket, of: pair) == 0)
            #expect(pair.ends.receives(Array("an answer".utf8)))
        }
    }

    @Test("what the socket does not take at once is left over, and nothing else is")
    func cut() async throws {
        try await PairedChannel.run { pair in
            let socket = try await makeSocket(pair)
            let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
            let rest = try await send(bytes, through: socket, of: pair)
            #expect(rest > 0 && rest < bytes.count)
            #expect(try await send([1, 2, 3], through: socket, of: pair) == 3)
            #expect(pair.ends.receives(bytes.dropLast(rest)))
        }
    }

    @Test("a client that is gone gets nothing, and no signal ends the process")
    func gone() async throws {
        try await PairedChannel.run { pair in
            let socket = try await makeSocket(pair)
            shutdown(pair.ends.other, CInt(SHUT_RDWR))
            #expect(try await send([1], through: socket, of: pair) == 1)
        }
    }

    @Test("nothing is sent to the connection that has the number of a closed one")
    func reused() async throws {
        try await PairedChannel.run { pair in
            let socket = try await makeSocket(pair)
            try await pair.channel.close()
            let heir = try SocketPair()
            let copy = fcntl(heir.one, F_DUPFD_CLOEXEC, pair.ends.one)
            #expect(try await send([1], through: socket, of: pair) == 1)
            // Another test may have taken the number meanwhile.
            #expect(heir.one != pair.ends.one && copy != pair.ends.one || heir.isEmpty)
            close(copy)
            heir.closeBoth()
        }
    }

    @Test("a channel in memory has no socket")
    func memory() throws {
        let channel = EmbeddedChannel()
        #expect(ResponseSocket(of: channel) == nil)
        _ = try channel.finish()
    }

    private func makeSocket(_ pair: PairedChannel) async throws -> NIOLoopBound<ResponseSocket> {
        try await pair.onLoop { [channel = pair.channel] in
            NIOLoopBound(try #require(ResponseSocket(of: channel)), eventLoop: channel.eventLoop)
        }
    }

    /// - Returns: how many bytes are left over.
    private func send(
        _ bytes: [UInt8], through socket: NIOLoopBound<ResponseSocket>, of pair: PairedChannel
    ) async throws -> Int {
        try await pair.onLoop {
            var buffer = ByteBuffer(bytes: bytes)
            #expect(socket.value.send(&buffer) == (buffer.readableBytes == 0))
            let isRest = Array(buffer.readableBytesView) == bytes.suffix(buffer.readableBytes)
            #expect(isRest)
            return buffer.readableBytes
        }
    }
}
