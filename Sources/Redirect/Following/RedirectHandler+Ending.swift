import Counting
import NIOCore
import NIOHTTP1

// The end of a connection: told by the client, by the server, or by nonsense; by silence, see ConnectionRoster.
extension RedirectHandler {
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if !isOwing { inputClosed(context) }
        case is ChannelShouldQuiesceEvent:
            isQuiescing = true
            if case .ready = phase, !isOwing { close(context) }
            context.fireUserInboundEventTriggered(event)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// Nothing is owed to a client that says no more: the connection ends, by the router when there is one.
    func inputClosed(_ context: ChannelHandlerContext) {
        isInputClosed = false
        if isAlone {
            close(context)
        } else {
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else {
            if isAlone { close(context) }
            context.fireErrorCaught(error)
            return
        }
        if case .closing = phase { return }
        guard !isGarbled else { return }
        isGarbled = true
        worker.tally.refused.add(1, .malformed)
        backlog.append(.malformed(error))
        work(context)
    }

    /// A proxy in front may read malformed input in another way (request smuggling), so nothing that follows on the
    /// connection is looked at. What came before it was answered; an error within a request that the router has is the
    /// router's to answer.
    func refuse(_ error: any Error, _ context: ChannelHandlerContext) {
        if case .passing = phase {
            phase = .closing
            return context.fireErrorCaught(error)
        }
        let answer = "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        context.write(wrapOutboundOut(.byteBuffer(ByteBuffer(string: answer))), promise: nil)
        close(context)
    }
}
