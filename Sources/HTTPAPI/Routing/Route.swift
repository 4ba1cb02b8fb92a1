package import HTTPTypes
import Hummingbird
import Organizations
import UseCases

/// One method of one path, and its required scopes.
struct Route: Sendable {
    enum Authorization: Sendable {
        /// Health, metrics, and nodes, which authenticate themselves with `PeerSeal`. No key is read and no quota
        /// counted, so these routes answer while the storage is unavailable.
        case anyone
        case operatorAlone
        /// A key of the organization in the path with one of these scopes, or the operator.
        case scopes(Set<Scope>)

        /// Whether a request of this principal counts for its organization's quota. The calls of a relay do not: there
        /// are as many as there are events, and a withdrawal must be delivered however many requests others send.
        func counts(_ principal: Principal) -> Bool {
            guard case .scopes(let scopes) = self, scopes == [.deliver], case .key(let key) = principal else {
                return true
            }
            return !key.scopes.contains(.deliver)
        }
    }

    let method: HTTPRequest.Method
    let path: RouterPath
    let authorization: Authorization
    /// The act for the log; `nil` if the route is no administrative act.
    let act: AdministrativeAct?
    let work: Work
    /// The largest JSON body, in bytes.
    let maximumBodySize: Int
    /// Whether the handler reads the query, and refuses what it does not know. Every other route refuses any query,
    /// because the service would not do what the caller means by it.
    let readsQuery: Bool
    /// Whether a POST or PATCH reads a body. Every other route refuses a body that says something, for the same reason.
    let takesBody: Bool
    let handle: @Sendable (AuthenticatedRequest) async throws -> Response

    init(
        _ method: HTTPRequest.Method, _ path: RouterPath, _ authorization: Authorization, act: AdministrativeAct? = nil,
        work: Work = .ofBody,
        maximumBodySize: Int = Request.maximumSmallBodySize, readsQuery: Bool = false,
        takesBody: Bool = true,
        _ handle: @escaping @Sendable (AuthenticatedRequest) async throws -> Response
    ) {
        self.method = method
        self.path = path
        self.authorization = authorization
        self.act = act
        self.work = work
        self.maximumBodySize = maximumBodySize
        self.readsQuery = readsQuery
        self.takesBody = takesBody
        self.handle = handle
    }
}

extension Route {
    /// Probes and scrapers may add a query.
    fileprivate var refusesQuery: Bool {
        if case .anyone = authorization { false } else { !readsQuery }
    }

    fileprivate var refusesBody: Bool {
        if case .anyone = authorization { false } else { !takesBody || [.get, .head, .delete].contains(method) }
    }

    /// A principal that may send GET may also send HEAD.
    fileprivate var withHead: [Route] {
        method == .get ? [self, Route(.head, path, authorization, work: work, readsQuery: readsQuery, handle)] : [self]
    }
}

extension Router where Context == PrivateContext {
    /// Adds all routes; other methods on their paths are refused with the list of allowed ones.
    func add(
        _ routes: [Route], admission: Admission, bodies: BodyBudget, pool: WorkPool, log: AdministrativeLog
    ) {
        for (path, ofPath) in Dictionary(grouping: routes, by: { $0.path.description }) {
            for route in ofPath.flatMap(\.withHead) {
                on(RouterPath(path), method: route.method) { request, context in
                    let principal = try await admission.principal(of: request, for: route)
                    let call = try AuthenticatedRequest(
                        request, context, principal, of: route, admission.validity(of: request), bodies)
                    try await call.refuseUnknownOrganization(admission.organizations)
                    if route.refusesQuery { try QueryReader(request).finish() }
                    if route.refusesBody { try await call.refuseBody() }
                    guard let act = route.act else { return try await route.answer(call, on: pool) }
                    return try await log.record(act, call) { try await route.answer($0, on: pool) }
                }
            }
            refuseOtherMethods(than: ofPath.flatMap(\.withHead).map(\.method), on: path)
        }
    }
}

extension Router {
    /// Adds a document that can be requested with GET and HEAD only.
    func document(_ path: String, _ answer: @escaping @Sendable () async throws -> Response) {
        document(path) { _ in try await answer() }
    }

    /// Adds a document that depends on the request and can be requested with GET and HEAD only.
    func document(_ path: String, _ answer: @escaping @Sendable (Request) async throws -> Response) {
        for method in [.get, .head] as [HTTPRequest.Method] {
            on(RouterPath(path), method: method) { request, _ in try await answer(request) }
        }
        refuseOtherMethods(than: [.get, .head], on: path)
    }

    /// Answers every other method on `path` with 405 and the allowed methods (RFC 9110, 15.5.6).
    func refuseOtherMethods(than allowed: [HTTPRequest.Method], on path: String) {
        var problem = Problem(.methodNotAllowed, "This path does not take this method; see the header Allow.")
        problem.headers[.allow] = allowed.map(\.rawValue).sorted().joined(separator: ", ")
        for method in HTTPRequest.Method.routed where !allowed.contains(method) {
            on(RouterPath(path), method: method) { [problem] _, _ -> Response in throw problem }
        }
    }
}

extension HTTPRequest.Method {
    /// Every path of a router answers each of these, or refuses it with the list of allowed methods.
    package static let routed: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace, .connect,
    ]
}

extension Request {
    /// The request as a router must see it. A router finds no path for a method that was not registered, and the client
    /// may send any method. TRACE stands for all others, because no path answers it.
    var withRoutedMethod: Request {
        guard !HTTPRequest.Method.routed.contains(method) else { return self }
        var head = head
        head.method = .trace
        return Request(head: head, body: body)
    }
}
