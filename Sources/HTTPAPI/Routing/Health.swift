import Hummingbird
import JSON
package import UseCases

/// Whether the service works, as both listeners report it.
package struct Health: Sendable {
    /// The part of the service that a load balancer asks about.
    package enum Scope: String, CaseIterable, Sendable {
        /// Redirects, which are answered as long as this node can record clicks.
        case links
        case api
    }

    /// The scope that `consentlink_ready` is about: `links` on a node without the role `api`.
    private let ownScope: Scope
    private let departure: Departure
    private let lasting: @Sendable (Scope) -> [ReadinessReason]

    /// - Parameters:
    ///   - ownScope: the scope that `consentlink_ready` is about: `links` on a node without the role `api`.
    ///   - departure: the end of the process. Once it has begun, no scope is ready.
    ///   - reasons: why the service is not ready for a scope; empty while it is.
    package init(
        ownScope: Scope = .api, departure: Departure = Departure(),
        _ reasons: @escaping @Sendable (Scope) -> [ReadinessReason]
    ) {
        self.ownScope = ownScope
        self.departure = departure
        lasting = reasons
    }

    /// Why the service is not ready for a scope; empty while it is.
    package func reasons(_ scope: Scope) -> [ReadinessReason] {
        departure.hasBegun ? [.stopping] : lasting(scope)
    }

    /// Why `consentlink_ready` is 0; empty while it is 1.
    var reasonsNotReady: [ReadinessReason] { reasons(ownScope) }

    /// 200 while the process lives.
    func live() -> Response {
        .json { writer in writer.object { $0.member("status", "alive") } }
    }

    /// 200 or 503 without reasons, for unknown clients: the reasons name organizations.
    func readyWithoutReasons(_ request: Request) throws -> Response {
        departure.recordProbe()
        guard reasons(try scope(request)).isEmpty else { throw Problem.unavailable("The service is not ready.") }
        return answerReady()
    }

    /// 200, or 503 with the reasons.
    func ready(_ request: Request) throws -> Response {
        departure.recordProbe()
        let reasons = reasons(try scope(request))
        guard reasons.isEmpty else { throw Problem.unavailable(reasons.map(\.description).joined(separator: "; ")) }
        return answerReady()
    }

    private func answerReady() -> Response { .json { writer in writer.object { $0.member("status", "ready") } } }

    /// `?for=links` asks only about links; without it the request asks about everything.
    private func scope(_ request: Request) throws -> Scope {
        var query = try QueryReader(request)
        return try query.takeChoice("for", as: Scope.self) ?? .api
    }
}

extension Health {
    var routes: [Route] {
        [
            Route(.get, "/healthz", .anyone) { _ in live() },
            Route(.get, "/readyz", .anyone) { call in try ready(call.request) },
        ]
    }
}
