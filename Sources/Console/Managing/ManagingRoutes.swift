import UseCases

/// The managers' pages.
struct ManagingRoutes {
    let stores: Stores
    let settings: ProcessingSettings

    var routes: [ConsoleRoute] {
        APIKeyRoutes(keys: stores.organizations).routes
            + ProcessingRoutes(messages: stores.messages, endpoints: stores.endpoints, settings: settings).routes
    }
}
