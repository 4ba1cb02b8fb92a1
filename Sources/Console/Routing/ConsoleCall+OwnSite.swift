import HTTPTypes
import Hummingbird

extension ConsoleCall {
    /// Refuses what another site made the browser ask for, such as a link that saves a file. Browsers say with
    /// `Sec-Fetch-Site` where a request comes from (W3C Fetch Metadata); other programs do not say it.
    /// - Throws: ``ConsoleRefusal/crossSite``
    func requireOwnSite() throws {
        let sites = request.headers[values: .secFetchSite]
        guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { throw ConsoleRefusal.crossSite }
    }
}
