import Hummingbird
import JSON

/// Whether the service works, as both listeners tell it.
package struct Health: Sendable {
    /// Why the service is not ready; empty while it is.
    let impediments: @Sendable () -> [String]

    package init(_ impediments: @escaping @Sendable () -> [String]) { self.impediments = impediments }

    /// 200 while the process lives.
    func live() -> Response {
        .json { writer in writer.object { $0.member("status", "alive") } }
    }

    /// 200 or 503, for strangers: the reasons name organizations.
    func readyWithoutReasons() throws -> Response {
        guard impediments().isEmpty else { throw Problem.unavailable("The service is not ready.") }
        return try ready()
    }

    /// 200, or 503 with the reasons.
    func ready() throws -> Response {
        let reasons = impediments()
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
