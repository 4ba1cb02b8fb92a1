import Organizations

/// The operators' pages.
struct OperatingRoutes {
    let organizations: any OrganizationStore
    let operations: Operations

    var routes: [ConsoleRoute] {
        HealthRoutes(state: operations.state, nodes: operations.nodes).routes
            + OrganizationRoutes(organizations: organizations, creator: operations.creator).routes
            + SigningKeyRoutes(
                rotation: operations.rotation, linkLifetimeInDays: operations.settings.linkLifetimeInDays
            ).routes
            + UpkeepRoutes(organizations: organizations, operations: operations).routes
    }
}
