import AsyncHTTPClient

/// Connections of their own to a service, which several values of its API share: requests over others do not wait
/// for them. They stay open until the process ends.
package struct ServiceConnections: Sendable {
    let client: HTTPClient

    /// - Parameter limit: how many requests are under way at once. Further ones wait.
    package init(limit: Int) { client = SharedHTTPClient.make(limit: limit) }
}
