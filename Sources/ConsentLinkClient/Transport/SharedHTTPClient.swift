import AsyncHTTPClient
import NIOCore

/// The HTTP client for callers that give none. It is never shut down.
enum SharedHTTPClient {
    static let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

    /// More streams than a program has at a time: a stream that waits for the connection of another might wait for
    /// ever.
    private static let maximumConnectionCount = 256

    /// How many bytes are read at once. Each read is passed from thread to thread, so a stream of mails should arrive
    /// in few reads.
    private static let maximumReadSize = 256 << 10

    private static var configuration: HTTPClient.Configuration {
        // A redirect would send the key to another server.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // The retry policy decides whether to retry.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = maximumConnectionCount
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.setOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: maximumReadSize))
        }
        return configuration
    }
}
