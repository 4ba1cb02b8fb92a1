import AsyncHTTPClient

/// The HTTP client of callers who bring none. It is never shut down.
enum SharedHTTPClient {
    static let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

    /// More than a program has streams at a time: a stream that waits for a connection of another would wait for ever.
    private static let greatestConnectionCount = 256

    private static var configuration: HTTPClient.Configuration {
        // A redirect would take the key elsewhere.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Whether to try again is decided by the retry policy.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = greatestConnectionCount
        return configuration
    }
}
