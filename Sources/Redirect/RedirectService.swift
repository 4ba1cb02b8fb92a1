package import Identifiers
package import NIOCore
package import NIOHTTP1
package import TrackingIDs

/// The redirect, ready to be put into the pipelines of a server's connections.
package final class RedirectService: Sendable {
    /// By event loop. Made at the start, read for every connection.
    private let workers: [ObjectIdentifier: NIOLoopBound<RedirectWorker>]

    package init(
        group: any EventLoopGroup, directory: LinkDirectory, keys: CurrentKeyRing, writer: SpoolWriter,
        clock: @escaping @Sendable () -> Timestamp, report: @escaping @Sendable (RedirectFault) -> Void
    ) async throws {
        var workers: [ObjectIdentifier: NIOLoopBound<RedirectWorker>] = [:]
        for loop in group.makeIterator() {
            workers[ObjectIdentifier(loop)] = try await loop.submit {
                let worker = try RedirectWorker(
                    loop: loop, directory: directory, keys: keys, writer: writer, clock: clock, report: report)
                return NIOLoopBound(worker, eventLoop: loop)
            }.get()
        }
        self.workers = workers
    }

    /// Sets up HTTP/1 on a connection, with the redirect directly behind the decoder. What handles the other requests
    /// is added behind it. Called on the connection's event loop, which must be one of the group's.
    package func configure(_ channel: any Channel, limits: NIOHTTPDecoderLimitConfiguration) throws {
        guard let worker = workers[ObjectIdentifier(channel.eventLoop)] else { throw RedirectServiceError.foreignLoop }
        let redirect = RedirectHandler(worker: worker.value)
        let pipeline = channel.pipeline.syncOperations
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
        try pipeline.addHandler(ByteToMessageHandler(decoder))
        try pipeline.addHandler(redirect)
        try pipeline.addHandler(HTTPResponseEncoder())
        try pipeline.addHandler(RouterWatch(redirect: redirect))
    }
}

package enum RedirectServiceError: Error {
    /// The connection belongs to an event loop that no worker was made for.
    case foreignLoop
}
