package import Cryptography
package import HTTPAPI
import Hummingbird
package import Identifiers
package import Logging
import Organizations
import Reports
package import UseCases

/// The console: pages for marketers, auditors, managers and operators, on a listener of its own. It works with the same use
/// cases and stores as the API.
package struct Console {
    /// What its pages are made with.
    package struct UseCases: Sendable {
        let stores: Stores
        let catalog: MessageCatalog
        let auditing: AuditingUseCases

        package init(stores: Stores, catalog: MessageCatalog, auditing: AuditingUseCases) {
            self.stores = stores
            self.catalog = catalog
            self.auditing = auditing
        }
    }

    private let useCases: UseCases
    private let tools: ConsoleTools
    private let origin: ConsoleOrigin
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - erasureKey: the key that all nodes of a storage have.
    ///   - publishedOrigin: `https://` and a host, where browsers of other machines reach the console.
    ///   - now: the service time.
    package init(
        _ useCases: UseCases, keeper: SessionKeeper, erasureKey: SecretBytes, publishedOrigin: String?,
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        self.useCases = useCases
        tools = ConsoleTools(
            keeper: keeper, forms: FormTokens(), throttle: SignInThrottle(),
            sealed: try SealedValues(erasureKey: erasureKey))
        origin = ConsoleOrigin(published: publishedOrigin)
        self.now = now
    }

    /// Answers requests.
    package func responder(logger: Logger, wallClock: @escaping @Sendable () -> Timestamp) -> Responder {
        let router = ConsoleRouter(
            tools: tools, organizations: useCases.stores.organizations, origin: origin, now: now)
        return router.router(routes).buildResponder().serving(logger, .logged, wallClock: wallClock)
    }

    /// Every route, by whose work it is.
    var routes: [ConsoleRoute] {
        SignInRoutes(hasProvider: false).routes + ConfirmRoutes().routes + SessionRoutes().routes
            + CampaignRoutes(messages: useCases.stores.messages, reports: useCases.stores.reports).routes
            + AuditingRoutes(useCases.stores, useCases.auditing, now: now).routes
    }
}
