import HTTPTypes

/// Whether a request that changes something comes from a page of the console itself.
///
/// Browsers say it with `Sec-Fetch-Site` (W3C Fetch Metadata), older ones with `Origin`. A request with neither is
/// refused: no browser that can sign in sends a form without either.
enum CrossSiteVerdict {
    static func isOwn(_ headers: HTTPFields, origin: String) -> Bool {
        if let site = headers[values: .secFetchSite].first {
            guard headers[values: .secFetchSite].count == 1, site == "same-origin" else { return false }
            // Where a browser says both, both must fit.
            return headers[.origin].map { $0 == origin } ?? true
        }
        return headers[.origin] == origin
    }
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}
