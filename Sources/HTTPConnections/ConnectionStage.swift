/// The stage of the exchange on a connection.
package enum ConnectionStage {
    /// Between requests, or within the header of one.
    case idle
    /// Within the body of a request whose answer has not begun.
    case receiving
    /// Within the body of a request that is being answered already, line by line.
    case exchanging
    /// A whole request waits for its answer.
    case owing
}

/// A handler that knows what is under way on its connection. Called on its event loop.
package protocol StagedConnection: AnyObject {
    var stage: ConnectionStage { get }
}
