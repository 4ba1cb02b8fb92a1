import Hummingbird
import JSON

/// Whether the service works, as both listeners tell it.
package struct Health: Sendable {
    /// Why the service is not ready; empty while it is.
    let reasonsNotReady: @Sendable () -> [String]

    package init(_ reasonsNotReady: @escaping @Sendable () -> [String]) { self.reasonsNotReady = reasonsNotReady }

    /// 200 while the process lives.
    func live() -> Response {
        .json { writer in writer.object { $0.member("status", "alive") } }
    }

    /// 200 or 503, for strangers: the reasons name organizations.
    func readyWithoutReasons() throws -> Response {
        guard reasonsNotReady().isEmpty else { throw Problem.unavailable("The service is not ready.") }
        return try ready()
    }

    /// 200, or 503 with the reasons.
    func ready() throws -> Response {
        let reasons = reasonsNotReady()
        guard reasons.isEmpty else { throw Problem.unavailable(reasons.joined(separator: "; ")) }
        return .json { writer in writer.object { $0.member("status", "ready") } }
    }
}

extension Health {
    var routes: [Route] {
        [
            Route(.get, "/healthz", .anyone) { _ in live() },
            Route(.get, "/readyz", .anyone) { _ in try ready() },
        ]
    }
}
