import HTTPTypes
import Hummingbird

/// The media types that this API accepts and returns.
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

    /// The type that a `Content-Type` names. The only charset that any of them may have here is UTF-8 (RFC 8259, 8.1);
    /// some programs write it without its hyphen.
    ///
    /// - Returns: `nil` for every other type and charset.
    init?(contentType: String) {
        let parts = contentType.split(separator: ";", omittingEmptySubsequences: false)
            .map { $0.filter { !$0.isWhitespace }.lowercased() }
        let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }.map { $0.dropFirst("charset=".count) }
        let fits = charsets.allSatisfy { ["utf-8", "\"utf-8\"", "utf8", "\"utf8\""].contains($0) }
        guard fits, let type = parts.first.flatMap(Self.init(rawValue:)) else { return nil }
        self = type
    }
}

extension Request {
    /// The type of the body; `nil` if this API does not know it.
    ///
    /// - Throws: 415 for a body that is compressed (RFC 9110, 15.5.16).
    var bodyType: APIMediaType? {
        get throws {
            let codings = headers[values: .contentEncoding].flatMap { $0.split { $0 == "," || $0.isWhitespace } }
            guard codings.allSatisfy({ !Self.compressions.contains($0.lowercased()) }) else {
                var problem = Problem(.unsupportedMediaType, "The body must not be compressed.")
                problem.headers[.acceptEncoding] = "identity"
                throw problem
            }
            return headers[.contentType].flatMap(APIMediaType.init(contentType:))
        }
    }

    /// The registered content codings (IANA, HTTP Content Coding Registry). Another word, such as the `utf-8` that some
    /// clients send, is ignored.
    private static let compressions: Set = [
        "br", "compress", "dcb", "dcz", "deflate", "gzip", "x-compress", "x-gzip", "zstd",
    ]
}
