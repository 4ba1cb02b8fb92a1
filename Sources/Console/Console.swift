package import Cryptography
package import HTTPAPI
import Hummingbird
package import Identifiers
package import Logging
package import OpenIDConnect
import Reports
package import UseCases

/// The console: pages for marketers, auditors, managers and operators, on a listener of its own. It works with the same
/// use cases and stores as the API.
package struct Console {
    /// The use cases and stores of its pages.
    package struct UseCases: Sendable {
        let stores: Stores
        let catalog: MessageCatalog
        let auditing: AuditingUseCases
        let operations: Operations

        package init(
            stores: Stores, catalog: MessageCatalog, auditing: AuditingUseCases, operations: Operations
        ) {
            self.stores = stores
            self.catalog = catalog
            self.auditing = auditing
            self.operations = operations
        }
    }

    /// The path of a link that signs in once, before its token.
    package static let signInLinkPath = SignInRoutes.linkPath

    /// The threads for heavy pages. They are not the API's: so pages are made even while an organization composes at
    /// full load.
    private let pool = WorkPool(threads: 2, requestLimit: 16)
    private let useCases: UseCases
    private let tools: ConsoleTools
    private let origin: ConsoleOrigin
    /// `nil` if there is no provider.
    private let party: RelyingParty?
    private let now: @Sendable () -> Timestamp
    private let wallClock: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - wait: must be the one that `sessions` has: both then know when the store does not answer.
    ///   - erasureKey: the key that all nodes of a storage have.
    ///   - provider: the provider through which accounts sign in, besides keys.
    ///   - publishedOrigin: `https://` and a host, by which browsers of other machines reach the console.
    ///   - now: the service time.
    ///   - wallClock: the clock that agrees with the provider's.
    package init(
        _ useCases: UseCases, sessions: SessionKeeper, wait: StoreWait, provider: ProviderSettings?,
        erasureKey: SecretBytes, publishedOrigin: String?,
        now: @escaping @Sendable () -> Timestamp, wallClock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.useCases = useCases
        tools = ConsoleTools(
            sessions: sessions, forms: try FormTokens(erasureKey: erasureKey), throttle: SignInThrottle(),
            sealed: try SealedValues(erasureKey: erasureKey), wait: wait)
        origin = ConsoleOrigin(published: publishedOrigin)
        party = provider.map { RelyingParty($0) }
        self.now = now
        self.wallClock = wallClock
    }

    /// The path on the console's origin to which a provider sends browsers.
    package static let providerAnswerPath = ProviderRoutes.answerPath

    /// Answers requests.
    package func responder(logger: Logger, wallClock: @escaping @Sendable () -> Timestamp) -> Responder {
        let router = ConsoleRouter(
            tools: tools, organizations: useCases.stores.organizations, origin: origin, pool: pool, now: now)
        return router.router(routes).buildResponder().serving(logger, .logged, wallClock: wallClock)
    }

    /// All routes, grouped by role. Some have a memory, so they are made once.
    private var routes: [ConsoleRoute] {
        let stores = useCases.stores
        return access + MarketingRoutes(stores: stores, catalog: useCases.catalog).routes
            + AuditingRoutes(stores, useCases.auditing, now: now).routes
            + OperatingRoutes(organizations: stores.organizations, operations: useCases.operations).routes
            + ManagingRoutes(stores: stores, settings: useCases.operations.settings).routes
    }

    private var access: [ConsoleRoute] {
        SignInRoutes(hasProvider: party != nil).routes + ConfirmRoutes().routes + SessionRoutes().routes
            + (party.map { ProviderRoutes(party: $0, wallClock: wallClock).routes } ?? [])
    }
}
