import Hummingbird
import Organizations
import UseCases

/// Who may send a request to the private listener: its key must be valid, and its organization within its quota.
struct Admission: Sendable {
    let authenticator: Authenticator
    let quotas: QuotaEnforcer
    /// The organizations that a path may name.
    let organizations: any OrganizationDirectory

    /// Counts the request for its organization's quota.
    ///
    /// - Returns: who sent it; anonymous for a route that any client may use, whose requests are not counted.
    func principal(of request: Request, for route: Route) async throws -> Principal {
        if case .anyone = route.authorization { return .anonymous }
        let principal = try await authenticator.principal(by: request.headers[.authorization])
        if route.authorization.counts(principal) { try quotas.admit(principal) }
        return principal
    }

    /// Whether the key of the request is still valid, for an answer that takes long.
    func validity(of request: Request) -> CallerValidity {
        CallerValidity(header: request.headers[.authorization], authenticator: authenticator)
    }
}
