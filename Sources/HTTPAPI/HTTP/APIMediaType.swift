import HTTPTypes
import Hummingbird

/// The types of what this API takes and gives.
enum APIMediaType: String, CaseIterable {
    case json = "application/json"
    case jsonLines = "application/x-ndjson"
    case csv = "text/csv"
    case jsonLD = "application/ld+json"

    /// The value of the header `Content-Type`.
    var contentType: String {
        switch self {
        case .json, .jsonLines, .jsonLD: rawValue
        case .csv: "text/csv; charset=utf-8; header=present"
        }
    }

    /// The type that a `Content-Type` names; the only charset that any of them can have here is UTF-8 (RFC 8259, 8.1).
    ///
    /// - Returns: `nil` for every other type and charset.
    init?(contentType: String) {
        let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.filter { !$0.isWhitespace }.lowercased() }
        let fits = parts.dropFirst().allSatisfy {
            !$0.hasPrefix("charset=") || $0 == "charset=utf-8" || $0 == "charset=\"utf-8\""
        }
        guard fits, let type = parts.first.flatMap(Self.init(rawValue:)) else { return nil }
        self = type
    }
}

extension Request {
    /// The type of the body; `nil` when it is none that this API knows.
    var bodyType: APIMediaType? { headers[.contentType].flatMap(APIMediaType.init(contentType:)) }
}
