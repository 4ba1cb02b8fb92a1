import Redirect
import UseCases

/// The marketers' pages.
struct MarketingRoutes {
    let stores: Stores
    let catalog: MessageCatalog
    let drain: Drain

    var routes: [ConsoleRoute] {
        CampaignRoutes(messages: stores.messages, reports: stores.reports, drain: drain).routes
            + MessagePageRoutes(catalog: catalog, reports: stores.reports, drain: drain).routes
            + ConsentPageRoutes(reports: stores.reports).routes
    }
}
