import HTTPTypes
import Pages

extension HTTPFields {
    /// The media type of a document, and what protects its reader.
    static func protected(_ mediaType: String) -> HTTPFields {
        var headers: HTTPFields = [.contentType: mediaType]
        headers.append(contentsOf: protection)
        return headers
    }

    private static let protection = HTTPFields(ReaderProtection.fields)

    /// - Parameter pairs: their names must be tokens (RFC 9110, 5.6.2).
    init(_ pairs: [(name: String, value: String)]) {
        self.init()
        for (name, value) in pairs { self[.known(name)] = value }
    }
}
