import NIOHTTP1

/// For probes and dashboards. These need no scope.
extension ConsentLinkAPI {
    /// Returns if the process is running.
    ///
    /// ```swift
    /// try await api.checkAlive()
    /// ```
    public func checkAlive() async throws { try await require("alive", at: "/healthz") }

    /// Returns if the service is ready for all its work. While the service is not ready, the call retries as the retry
    /// policy says, so it can also wait until a service has started.
    ///
    /// ```swift
    /// try await api.checkReady()
    /// ```
    /// - Throws: ``ConsentLinkError/refused(_:)`` with 503 and the reason in ``Problem/detail``.
    public func checkReady() async throws { try await require("ready", at: "/readyz") }

    /// Any web server may answer 200 to these paths, so the body is checked, too.
    private func require(_ status: String, at path: String) async throws {
        let answer: Health = try await transport.get(path)
        guard answer.status == status else {
            throw ConsentLinkError.unexpectedAnswer("its status is \(answer.status), and not \(status)")
        }
    }

    /// Metrics in the text format of Prometheus. They name no recipient.
    ///
    /// ```swift
    /// let depth = try await api.metrics().split(separator: "\n").first { $0.hasPrefix("consentlink_spool_depth ") }
    /// ```
    public func metrics() async throws -> String { try await transport.text("/metrics") }
}

private struct Health: Decodable {
    let status: String
}
