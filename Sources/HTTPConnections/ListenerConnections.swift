package import NIOCore

/// The connections of one listener.
package protocol ListenerConnections: Sendable {
    /// Puts the handlers on a new connection. Called on its event loop.
    ///
    /// - Parameter addRouter: adds the handlers of requests, as parts of HTTP/1, at the end of the pipeline. Called on
    ///   the event loop, at most once: at once, or with the first request for the router.
    func configure(_ channel: any Channel, addRouter: @escaping (any Channel) throws -> Void) throws

    /// Tells all connections that the server is about to end.
    func quiesce()

    /// Closes all connections now, and those that are added later.
    func closeAll()
}
