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
        let operations: Operations

        package init(stores: Stores, catalog: MessageCatalog, operations: Operations) {
            self.stores = stores
            self.catalog = catalog
            self.operations = operations
        }
    }

    /// Before the token of a link that signs in once.
    package static let signInLinkPath = SignInRoutes.linkPath

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
            + operating + managing
    }

    private var operating: [ConsoleRoute] {
        let (organizations, operations) = (useCases.stores.organizations, useCases.operations)
        return HealthRoutes(state: operations.state, nodes: operations.nodes).routes
            + OrganizationRoutes(organizations: organizations, making: operations.making).routes
            + SigningKeyRoutes(
                rotation: operations.rotation, linkLifetimeInDays: operations.settings.linkLifetimeInDays
            ).routes
            + UpkeepRoutes(organizations: organizations, operations: operations).routes
    }

    private var managing: [ConsoleRoute] {
        let stores = useCases.stores
        return AccessKeyRoutes(keys: stores.organizations).routes
            + ProcessingRoutes(
                messages: stores.messages, endpoints: stores.endpoints, settings: useCases.operations.settings
            ).routes
    }
}
