import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends requests to the provider with AsyncHTTPClient. The process has one shared client, which is never shut down.
package struct HTTPTransport: ProviderTransport {
    private static let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

    /// The most connections to one host at once, if it speaks HTTP/1.1.
    private static let connectionLimit = 64

    private static var configuration: HTTPClient.Configuration {
        // A redirect could send a code or a secret to another server.
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        // A code can be used once, so a request that may have arrived is not sent again.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A request that waits for a connection fails after the time for connecting.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionLimit
        return configuration
    }

    package init() {}

    package func send(_ request: ProviderRequest) async throws(TransportFailure) -> ProviderResponse {
        do {
            return try await within(request.timeout) { try await Self.answer(to: request) }
        } catch {
            throw TransportFailure(error)
        }
    }

    private static func answer(to request: ProviderRequest) async throws -> ProviderResponse {
        var sent = HTTPClientRequest(url: request.url.description)
        sent.headers.add(name: "Accept", value: "application/json")
        if let authorization = request.authorization {
            sent.headers.add(name: "Authorization", value: authorization)
        }
        if let form = request.form {
            sent.method = .POST
            sent.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
            sent.body = .bytes(form)
        }
        let response = try await client.execute(sent, deadline: .distantFuture)
        var body = try await response.body.collect(upTo: request.maximumAnswerSize)
        // A body ends without an error if its reader is cancelled.
        try Task.checkCancellation()
        return ProviderResponse(
            status: Int(response.status.code), contentType: response.headers.first(name: "Content-Type"),
            body: body.readBytes(length: body.readableBytes) ?? [])
    }

    private func within(
        _ timeout: Duration, _ work: @escaping @Sendable () async throws -> ProviderResponse
    ) async throws -> ProviderResponse {
        try await withThrowingTaskGroup(of: ProviderResponse.self) { tasks in
            tasks.addTask { try await work() }
            tasks.addTask {
                try await Task.sleep(for: timeout)
                throw HTTPClientError.deadlineExceeded
            }
            defer { tasks.cancelAll() }
            guard let response = try await tasks.next() else { throw CancellationError() }
            return response
        }
    }
}

extension TransportFailure {
    /// The errors for something that took too long. The last one is of a request that got no connection, because other
    /// requests had them all.
    private static let ofTime: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
    ]

    /// - Parameter error: an error of AsyncHTTPClient, or of reading a body.
    init(_ error: any Error) {
        switch error {
        case is NIOTooManyBytesError: self = .tooLarge
        case let error as HTTPClientError where Self.ofTime.contains(error): self = .late
        default: self = .unreachable
        }
    }
}
