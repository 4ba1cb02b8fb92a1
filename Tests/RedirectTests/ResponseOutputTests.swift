import Glibc
import NIOCore
import SocketPairs
import TestSupport
import Testing

@testable import Redirect

/// Answers leave whole and in their order, whichever way each of them takes.
@Suite struct ResponseOutputTests {
    /// An output on one end of a pair of sockets, on which an answer has left already.
    private struct Connection {
        let pair: PairedChannel
        let output: NIOLoopBound<(ResponseOutput, ChannelHandlerContext)>
        /// How many writes passed SwiftNIO's pipeline.
        let writes: Note<Int>

        static func run(_ body: (Connection) async throws -> Void) async throws {
            try await PairedChannel.run { pair in
                let writes = Note(0)
                let output = try await pair.onLoop { [channel = pair.channel] in
                    let handler = Bystander()
                    try channel.pipeline.syncOperations.addHandlers(WriteCounter(writes), handler)
                    return NIOLoopBound(
                        (ResponseOutput(), try #require(handler.context)), eventLoop: channel.eventLoop)
                }
                let connection = Connection(pair: pair, output: output, writes: writes)
                try await connection.answer("the first")
                #expect(connection.receives("the first"))
                #expect(writes.value == 1)
                try await body(connection)
            }
        }

        /// Answers in a turn of its own.
        func answer(_ text: String) async throws {
            try await turn { output, context in
                output.write(ByteBuffer(string: text), context)
                output.flush(context)
            }
        }

        /// One turn of the event loop.
        func turn(_ body: @escaping @Sendable (ResponseOutput, ChannelHandlerContext) -> Void) async throws {
            try await pair.onLoop { [output] in body(output.value.0, output.value.1) }
        }

        func receives(_ text: String) -> Bool { pair.ends.receives(Array(text.utf8)) }
    }

    private final class WriteCounter: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        private let writes: Note<Int>

        init(_ writes: Note<Int>) { self.writes = writes }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            writes.value += 1
            context.write(data, promise: promise)
        }
    }

    private final class Bystander: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private(set) var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context _: ChannelHandlerContext) { context = nil }
    }

    @Test("an answer that is alone in its turn does not pass SwiftNIO's pipeline")
    func alone() async throws {
        try await Connection.run { connection in
            for text in ["one ", "two ", "three"] { try await connection.answer(text) }
            #expect(connection.receives("one two three"))
            #expect(connection.writes.value == 1)
        }
    }

    @Test("answers to a client that takes none for a while keep their order, and none is lost")
    func slowClient() async throws {
        try await Connection.run { connection in
            let answers = (0..<600).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 1000 + $0) }
            // 780 KB: more than the sockets hold.
            for answer in answers {
                try await connection.turn { output, context in
                    output.write(ByteBuffer(bytes: answer), context)
                    output.flush(context)
                }
            }
            let writes = connection.writes.value
            #expect(writes > 1)
            #expect(connection.pair.ends.receives(Array(answers.joined())))
            // SwiftNIO has nothing left once it has handed over the last of it.
            for text in ["again ", "and again"] { try await connection.answer(text) }
            #expect(connection.receives("again and again"))
            #expect(connection.writes.value == writes)
        }
    }

    @Test("an answer does not overtake the rest of the one before it when the client makes room")
    func room() async throws {
        try await Connection.run { connection in
            let first = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
            let begin = Note<[UInt8]>([])
            try await connection.turn { [ends = connection.pair.ends] output, context in
                output.write(ByteBuffer(bytes: first), context)
                output.flush(context)
                // SwiftNIO learns of the room in a later turn.
                begin.value = ends.arrived(limit: first.count)
                output.write(ByteBuffer(string: "second"), context)
                output.flush(context)
            }
            let rest = first.dropFirst(begin.value.count)
            #expect(!begin.value.isEmpty && !rest.isEmpty)
            #expect(connection.pair.ends.receives(rest + Array("second".utf8)))
        }
    }

    @Test("several answers in one turn, and one in the next")
    func several() async throws {
        try await Connection.run { connection in
            try await connection.turn { output, context in
                for text in ["one ", "two ", "three "] { output.write(ByteBuffer(string: text), context) }
                output.flush(context)
            }
            #expect(connection.writes.value == 4)
            for text in ["four ", "five"] { try await connection.answer(text) }
            #expect(connection.receives("one two three four five"))
            #expect(connection.writes.value == 4)
        }
    }

    @Test("an answer leaves before the router's, which come after it")
    func router() async throws {
        try await Connection.run { connection in
            try await connection.turn { output, context in
                output.write(ByteBuffer(string: "a link's "), context)
                output.share(context)
                context.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer(string: "the router's "))), promise: nil)
                output.write(ByteBuffer(string: "a link's again"), context)
                output.flush(context)
            }
            #expect(connection.receives("a link's the router's a link's again"))
            #expect(connection.writes.value == 4)
        }
    }

    @Test("after the router's answers an answer that is alone leaves behind them, and past SwiftNIO's pipeline again")
    func afterRouter() async throws {
        try await Connection.run { connection in
            try await connection.answer("a link's ")
            let router = [UInt8](repeating: UInt8(ascii: "r"), count: 4_000_000)
            try await connection.turn { output, context in
                output.share(context)
                context.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer(bytes: router))), promise: nil)
                output.endSharing()
                // SwiftNIO has not written all of it.
                output.write(ByteBuffer(string: " a link's"), context)
                output.flush(context)
            }
            #expect(connection.receives("a link's "))
            #expect(connection.pair.ends.receives(router + Array(" a link's".utf8)))
            #expect(connection.writes.value == 3)
            for text in [" again", " and again"] { try await connection.answer(text) }
            #expect(connection.receives(" again and again"))
            #expect(connection.writes.value == 3)
        }
    }

    @Test("a connection is closed after its last answer", arguments: [true, false])
    func closing(_ isAlone: Bool) async throws {
        try await Connection.run { connection in
            try await connection.turn { output, context in
                if !isAlone { output.write(ByteBuffer(string: "first, "), context) }
                output.write(ByteBuffer(string: "last"), context)
                output.close(context)
            }
            #expect(connection.receives(isAlone ? "last" : "first, last"))
            #expect(connection.pair.ends.isClosed)
        }
    }

    @Test("a connection whose client is slow is closed when it has all of its last answer")
    func closingSlowly() async throws {
        try await Connection.run { connection in
            let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 >> 8) }
            try await connection.turn { output, context in
                output.write(ByteBuffer(bytes: bytes), context)
                output.close(context)
            }
            #expect(connection.pair.ends.receives(bytes))
            #expect(connection.pair.ends.isClosed)
        }
    }

    @Test("nothing is written on a connection that is gone")
    func gone() async throws {
        try await Connection.run { connection in
            try await connection.pair.channel.close()
            try await connection.turn { output, context in
                output.write(ByteBuffer(string: "late"), context)
                output.flush(context)
                output.close(context)
                output.closed()
            }
            #expect(connection.pair.ends.isClosed)
        }
    }
}
