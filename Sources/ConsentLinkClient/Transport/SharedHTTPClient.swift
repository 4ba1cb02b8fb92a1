import AsyncHTTPClient
import NIOCore

/// The HTTP client for callers that give none. It is never shut down.
enum SharedHTTPClient {
    static let client = make(limit: maximumConnectionCount)

    /// More streams than a program has at a time: a stream that waits for the connection of another might wait for
    /// ever.
    private static let maximumConnectionCount = 256

    /// How many bytes are read at once. Each read is passed from thread to thread, so a stream of mails should arrive
    /// in few reads.
    private static let maximumReadSize = 256 << 10

    /// A client like the shared one, which is never shut down either.
    /// - Parameter limit: how many connections to a service it has at most.
    static func make(limit: Int) -> HTTPClient {
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration(limit: limit))
        // A client that is released before it was shut down stops the process.
        _ = Unmanaged.passRetained(client)
        return client
    }

    private static func configuration(limit: Int) -> HTTPClient.Configuration {
        // A redirect would send the key to another server.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // The retry policy decides whether to retry.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limit
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: maximumReadSize))
        }
        return configuration
    }
}
