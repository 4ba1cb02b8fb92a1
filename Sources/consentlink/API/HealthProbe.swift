import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Service

/// Asks a service what it tells without a key.
struct HealthProbe {
    private static let maximumAnswer = 4 << 20

    let base: String

    /// - Parameter option: which option has named it.
    init(base: String, option: String = "--api") throws {
        guard let url = URL(string: base), url.host() != nil, ["http", "https"].contains(url.scheme) else {
            throw CommandFailure(
                "consentlink: \(option) must be a URL such as http://127.0.0.1:8081", exitCode: ExitStatus.usage)
        }
        self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
    }

    /// - Returns: `nil` when there is no answer.
    func get(_ path: String) async -> ServiceDiagnosis.Answer? {
        var settings = HTTPClient.Configuration()
        // A service that is not there is not waited for.
        settings.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        defer { client.shutdown { _ in } }
        do {
            let response = try await client.execute(HTTPClientRequest(url: base + path), timeout: .seconds(5))
            var buffer = try await response.body.collect(upTo: Self.maximumAnswer)
            let bytes = buffer.readBytes(length: buffer.readableBytes) ?? []
            return .init(status: Int(response.status.code), body: String(decoding: bytes, as: UTF8.self))
        } catch {
            return nil
        }
    }
}
