import UseCases

/// The marketers' pages.
struct MarketingRoutes {
    let stores: Stores
    let catalog: MessageCatalog

    var routes: [ConsoleRoute] {
        CampaignRoutes(messages: stores.messages, reports: stores.reports).routes
            + MessagePageRoutes(catalog: catalog, reports: stores.reports).routes
            + ConsentPageRoutes(reports: stores.reports).routes
    }
}
