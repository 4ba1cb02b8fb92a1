import HTTPConnections
import NIOCore

/// Stands before the decoder, and answers plain requests for links and pictures and plain reports of devices, as nearly
/// all requests are. With the first other request it sets up the decoder and the router. They get every request until
/// all are answered. Then the connection is read here again, which matters for a proxy's: it has requests of many
/// readers.
final class PlainRequestReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Received bytes that are neither answered nor handed on.
    private enum Held {
        case nothing
        /// The first part of a report; more is to come.
        case cut(ByteBuffer, pieces: Int)
        /// A report or a request for a picture that waits, and what came after it.
        ///
        /// - taken: the length of the part that is taken: 0 if it waits for its turn, else its length.
        case waiting(ByteBuffer, taken: Int)
    }

    /// A report that comes in more pieces goes to the decoder, which reads no byte twice.
    private static let maximumPieces = 8

    private let redirect: RedirectHandler
    private lazy var reports = DeviceReportHandler(redirect: redirect)
    private lazy var pictures = PictureHandler(redirect: redirect)
    /// Adds the decoder and the router.
    private let setUp: (any Channel) throws -> RouterPipeline
    /// The decoder and the router, once they were added.
    private var router: RouterPipeline?
    /// Whether the decoder gets what comes.
    private var isDecoding = false
    /// Whether the decoder was given something in this read.
    private var hasForwarded = false
    private var held = Held.nothing
    /// The client sends nothing more, and the handlers behind this one have not been told.
    private var isInputClosed = false
    private var context: ChannelHandlerContext?

    init(redirect: RedirectHandler, setUp: @escaping (any Channel) throws -> RouterPipeline) {
        self.redirect = redirect
        self.setUp = setUp
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        redirect.reader = self
    }

    func handlerRemoved(context _: ChannelHandlerContext) {
        context = nil
        held = .nothing
        redirect.reader = nil
    }

    // MARK: What the client sends

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isDecoding {
            guard isRouterDone else { return forward(data, context) }
            isDecoding = false
            redirect.readerTakesOver()
        }
        var bytes = unwrapInboundIn(data)
        switch held {
        case .nothing: read(bytes, pieces: 1, context)
        case .cut(var start, let pieces):
            // Otherwise, writing would copy what is held.
            held = .nothing
            start.writeBuffer(&bytes)
            read(start, pieces: pieces + 1, context)
        case .waiting where redirect.machine.isClosing: stopWaiting()
        case .waiting(var start, let taken):
            held = .nothing
            start.writeBuffer(&bytes)
            wait(start, taken: taken)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard hasForwarded else { return redirect.readComplete() }
        hasForwarded = false
        context.fireChannelReadComplete()
    }

    /// The end of input is passed on when everything before it is answered or handed on.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event, !isDecoding else {
            return context.fireUserInboundEventTriggered(event)
        }
        isInputClosed = true
        switch held {
        case .nothing: forwardInputClosed(context)
        case .cut(let start, _): stepAside(context, start)
        case .waiting: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .cut = held { redirect.reportCutShort() }
        context.fireChannelInactive()
    }

    // MARK: What was waited for

    /// What waited is answered, or its turn has come.
    func goOn() {
        guard case .waiting(var bytes, let taken) = held, let context else { return }
        stopWaiting()
        bytes.moveReaderIndex(forwardBy: taken)
        read(bytes, pieces: 1, context)
    }

    /// The router must answer what waited.
    func handOver() {
        guard case .waiting(let bytes, _) = held, let context else { return }
        stopWaiting()
        stepAside(context, bytes)
    }

    private func wait(_ bytes: ByteBuffer, taken: Int) {
        held = .waiting(bytes, taken: taken)
        redirect.machine.isReaderWaiting = bytes.readableBytes > taken
    }

    private func stopWaiting() {
        held = .nothing
        redirect.machine.isReaderWaiting = false
    }

    // MARK: Reading

    /// The message with which the bytes begin.
    private enum Beginning {
        /// A request that is taken, or ignored.
        case taken(length: Int)
        /// A report or a request for a picture that waits.
        case waiting(taken: Int)
        case cut(isHeaderWhole: Bool)
        case notPlain
    }

    private func read(_ bytes: consuming ByteBuffer, pieces: Int, _ context: ChannelHandlerContext) {
        var pieces = pieces
        while bytes.readableBytes > 0 {
            let beginning = bytes.withUnsafeReadableBytes { bytes in
                bytes.withMemoryRebound(to: UInt8.self) { receive($0.span) }
            }
            switch beginning {
            case .taken(let length):
                bytes.moveReaderIndex(forwardBy: length)
                pieces = 1
            case .waiting(let taken): return wait(bytes, taken: taken)
            case .cut(let isHeaderWhole) where pieces < Self.maximumPieces && !isInputClosed:
                if isHeaderWhole { redirect.machine.collectReport() }
                held = .cut(bytes, pieces: pieces)
                return
            case .cut, .notPlain: return stepAside(context, bytes)
            }
        }
        if isInputClosed { forwardInputClosed(context) }
    }

    private func receive(_ bytes: Span<UInt8>) -> Beginning {
        if let plain = PlainRequest(bytes, redirect.worker.agents) {
            redirect.receive(plain, in: bytes)
            return .taken(length: plain.length)
        }
        if let plain = PlainPicture(bytes, redirect.worker.agents) {
            return beginning(pictures.take(plain, in: bytes), length: plain.length)
        }
        switch PlainReport.read(bytes, redirect.worker.agents) {
        case .whole(let plain): return beginning(reports.take(plain, in: bytes), length: plain.length)
        case .cut(let isHeaderWhole): return .cut(isHeaderWhole: isHeaderWhole)
        case .notPlain: return .notPlain
        }
    }

    private func beginning(_ taking: TurnTaking, length: Int) -> Beginning {
        switch taking {
        case .answered, .ignored: .taken(length: length)
        case .waits: .waiting(taken: length)
        case .waitsForTurn: .waiting(taken: 0)
        case .declined: .notPlain
        }
    }

    private func forwardInputClosed(_ context: ChannelHandlerContext) {
        isInputClosed = false
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    // MARK: The decoder and the router

    /// Whether the router owes nothing, and the decoder has nothing of a request.
    private var isRouterDone: Bool { redirect.machine.isBetweenRequests && router?.isBetweenRequests ?? false }

    /// Hands the connection to the decoder, with the bytes that are not read yet.
    private func stepAside(_ context: ChannelHandlerContext, _ rest: ByteBuffer) {
        held = .nothing
        do {
            if router == nil { router = try setUp(context.channel) }
        } catch {
            return context.close(promise: nil)
        }
        isDecoding = true
        redirect.routerTakesOver()
        forward(wrapInboundOut(rest), context)
        // It may be given outside of a read.
        channelReadComplete(context: context)
        if isInputClosed { forwardInputClosed(context) }
    }

    private func forward(_ data: NIOAny, _ context: ChannelHandlerContext) {
        hasForwarded = true
        context.fireChannelRead(data)
    }
}
