import HTTPTypes
package import Hummingbird

extension Request {
    /// Whether the body is a form of a page, by its media type. Parameters, such as a charset, change nothing.
    package var hasForm: Bool {
        var type = (headers[.contentType] ?? "").prefix { $0 != ";" }
        // White space may stand before the semicolon (RFC 9110, 5.6.6).
        while type.last == " " || type.last == "\t" { type.removeLast() }
        return type.lowercased() == "application/x-www-form-urlencoded"
    }
}
