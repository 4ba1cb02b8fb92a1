import AsyncHTTPClient
import NIOCore

/// The HTTP client of callers who bring none. It is never shut down.
enum SharedHTTPClient {
    static let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

    /// More than a program has streams at a time: a stream that waits for a connection of another would wait for ever.
    private static let greatestConnectionCount = 256

    /// In bytes, at once. What is read is handed from thread to thread, one read after the other, so a stream of mails is
    /// received in few of them.
    private static let mostRead = 256 << 10

    private static var configuration: HTTPClient.Configuration {
        // A redirect would take the key elsewhere.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Whether to try again is decided by the retry policy.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = greatestConnectionCount
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.setOption(
                .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: mostRead))
        }
        return configuration
    }
}
