import NIOCore
import NIOHTTP1

extension RedirectStateMachine {
    /// What to do with a request.
    enum Action {
        /// Follow the link of a whole request; its token is still to be opened.
        case open(HTTPRequestHead)
        /// Follow the link of a whole request.
        case follow(RedirectRequest, LinkOpening)
        case forward(HTTPServerRequestPart)
        /// The router has the request that is malformed. It answers and closes the connection.
        case forwardError(any Error)
        /// Answer 400, then close.
        case refuseMalformed
        case close
    }

    /// What to do after an answer that held up the connection.
    enum FollowUp {
        /// Read from the connection: the channel asked for it before.
        case read
        /// Tell the router that the client sends nothing more.
        case forwardInputClosed
        case close
    }
}
