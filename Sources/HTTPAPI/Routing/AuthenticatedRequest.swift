import Hummingbird
import Identifiers
import NIOCore
import Organizations
import UseCases

/// The context of a request to the private listener, which knows its connection.
struct PrivateContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection of the request.
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// A request whose principal is allowed to make it.
struct AuthenticatedRequest: Sendable {
    let request: Request
    let context: PrivateContext
    let principal: Principal
    /// The caller's access, to check again in an answer that takes long.
    let validity: CallerValidity
    /// Details for the log, if the call is an administrative act.
    let details = ActDetails()
    private let route: RouterPath
    let body: BodyAllowance
    /// The permit for the threads that handle the request; `nil` if it needs none of the pool.
    var permit: WorkPermit?

    /// - Throws: 401 without a valid key, 403 with a key of another organization. A key's holder learns nothing about
    ///   other organizations, not even whether they exist.
    init(
        _ request: Request, _ context: PrivateContext, _ principal: Principal, of route: Route,
        _ validity: CallerValidity,
        _ bodies: BodyBudget
    ) throws {
        switch (route.authorization, principal) {
        case (.anyone, _), (_, .operator): break
        case (_, .anonymous): throw Problem.unauthorized
        case (.operatorAlone, .key): throw Problem(.forbidden, "Only the operator may do this.")
        case (.scopes(let scopes), .key(let key)):
            guard context.parameters.get("org") == key.organization.description, !scopes.isDisjoint(with: key.scopes)
            else { throw Problem(.forbidden, "This key may not do this here.") }
        }
        self.request = request
        self.context = context
        self.principal = principal
        self.validity = validity
        self.route = route.path
        body = BodyAllowance(
            bodies, for: context.parameters.get("org").flatMap { try? OrganizationID($0) },
            maximum: route.maximumBodySize)
    }

    /// The path of the route with its parameters filled in: the same for all spellings that the router accepts for it,
    /// such as those with doubled slashes.
    var canonicalPath: String {
        route.description.split(separator: "/").map { component in
            guard component.hasPrefix("{") else { return "/\(component)" }
            return "/" + (context.parameters.get(String(component.dropFirst().dropLast())) ?? "")
        }.joined()
    }

    /// The organization in the path. A text that cannot be an id is answered like an organization that does not exist.
    var organization: OrganizationID {
        get throws {
            guard let text = context.parameters.get("org"), let id = try? OrganizationID(text) else {
                throw Problem.notFound
            }
            return id
        }
    }

    /// A key always belongs to an organization that exists. The operator may name one that does not.
    ///
    /// - Throws: 404 if it does not exist.
    func refuseUnknownOrganization(_ organizations: any OrganizationDirectory) async throws {
        guard case .operator = principal, context.parameters.get("org") != nil else { return }
        _ = try await organizations.known(try organization)
    }

    /// The id in the path under `name`. A text that cannot be an id is answered with 404.
    func id<ID: EntityID>(_ name: String, as _: ID.Type = ID.self) throws -> ID {
        guard let text = context.parameters.get(name), let id = try? ID(text) else { throw Problem.notFound }
        return id
    }
}
