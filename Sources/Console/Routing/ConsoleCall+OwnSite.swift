import HTTPTypes
import Hummingbird

extension ConsoleCall {
    /// Refuses requests that another site made the browser send, such as a link that saves a file. Browsers state the
    /// origin of a request with `Sec-Fetch-Site` (W3C Fetch Metadata); other programs do not.
    /// - Throws: ``ConsoleRefusal/crossSite``
    func requireOwnSite() throws {
        let sites = request.headers[values: .secFetchSite]
        guard sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else { throw ConsoleRefusal.crossSite }
    }
}
