import HTTPAPI
import HTTPTypes

/// Whether a request that changes something comes from a page of the console itself.
///
/// Browsers state it with `Sec-Fetch-Site` (W3C Fetch Metadata), older ones with `Origin`. A request with neither is
/// refused: every browser that can sign in sends at least one with a form.
enum CrossSiteVerdict {
    static func isOwn(_ headers: HTTPFields, origin: String) -> Bool {
        if let site = headers[values: .secFetchSite].first {
            guard headers[values: .secFetchSite].count == 1, site == "same-origin" else { return false }
            // If a browser sends both, both must fit.
            return headers[.origin].map { $0 == origin } ?? true
        }
        return headers[.origin] == origin
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name.known("Sec-Fetch-Site")
}
