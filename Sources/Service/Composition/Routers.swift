import HTTPTypes
import Hummingbird
import Organizations
import UseCases

extension Router where Context == PrivateContext {
    /// The private listener: everything that lists, searches, composes or changes anything.
    static func privateAPI(
        _ routes: [Route], _ authenticator: Authenticator, _ organizations: any OrganizationStore, _ bodies: BodyBudget,
        _ pool: WorkPool,
        _ times: RequestTimes,
        _ quotas: QuotaEnforcer, _ log: AdministrativeLog
    ) -> Router {
        let router = Router(context: PrivateContext.self)
        router.add(middleware: RequestTimesMiddleware(times: times))
        router.add(middleware: ProblemMiddleware())
        router.add(
            routes, authenticator: authenticator, organizations: organizations, bodies: bodies, pool: pool,
            quotas: quotas, log: log)
        times.expect(router.routes.map(\.path.description))
        return router
    }
}

extension Router where Context == BasicRequestContext {
    /// The public listener, but for the redirect, which answers before any router is asked.
    static func publicListener(
        _ devices: DeviceRoutes, _ opens: OpenPixelRoutes, _ withdrawals: WithdrawalRoutes, _ health: Health,
        _ times: RequestTimes
    ) -> Router {
        let router = Router(context: BasicRequestContext.self)
        router.add(middleware: RequestTimesMiddleware(times: times))
        router.add(middleware: ProblemMiddleware())
        devices.add(to: router)
        opens.add(to: router)
        withdrawals.add(to: router)
        WellKnownRoutes.add(to: router)
        router.document("/healthz") { health.live() }
        router.document("/readyz") { try health.readyWithoutReasons() }
        times.expect(router.routes.map(\.path.description))
        return router
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
