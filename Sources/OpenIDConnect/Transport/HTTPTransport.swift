import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Sends requests to the provider with AsyncHTTPClient. All of the process share one client, which is never shut down.
package struct HTTPTransport: ProviderTransport {
    private static let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)

    /// To one host at once, where it speaks HTTP/1.1.
    private static let connectionLimit = 64

    private static var configuration: HTTPClient.Configuration {
        // A redirect could take a code or a secret elsewhere.
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        // A code is used once, so a request that may have arrived is not sent again.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A request that waits for a connection is given up after the time for connecting.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionLimit
        return configuration
    }

    package init() {}

    package func send(_ request: ProviderRequest) async throws(TransportFailure) -> ProviderResponse {
        do {
            return try await within(request.patience) { try await Self.answer(to: request) }
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
        var body = try await response.body.collect(upTo: request.longestAnswer)
        // A body ends without an error when its reader is cancelled.
        try Task.checkCancellation()
        return ProviderResponse(
            status: Int(response.status.code), contentType: response.headers.first(name: "Content-Type"),
            body: body.readBytes(length: body.readableBytes) ?? [])
    }

    private func within(
        _ patience: Duration, _ work: @escaping @Sendable () async throws -> ProviderResponse
    ) async throws -> ProviderResponse {
        try await withThrowingTaskGroup(of: ProviderResponse.self) { tasks in
            tasks.addTask { try await work() }
            tasks.addTask {
                try await Task.sleep(for: patience)
                throw HTTPClientError.deadlineExceeded
            }
            defer { tasks.cancelAll() }
            guard let response = try await tasks.next() else { throw CancellationError() }
            return response
        }
    }
}

extension TransportFailure {
    /// All of them come when something took too long. The last one is of a request that got no connection, because others
    /// had them all.
    private static let ofTime: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .readTimeout, .writeTimeout, .getConnectionFromPoolTimeout,
    ]

    /// - Parameter error: of AsyncHTTPClient, or of a body that was read.
    init(_ error: any Error) {
        switch error {
        case is NIOTooManyBytesError: self = .tooLarge
        case let error as HTTPClientError where Self.ofTime.contains(error): self = .late
        default: self = .unreachable
        }
    }
}
