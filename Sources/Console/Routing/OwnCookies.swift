import HTTPTypes

/// The cookies of a request. Only the cookie that is looked up becomes a `String`, because a client that is no browser
/// may send thousands.
struct OwnCookies: Sendable {
    private let fields: [String]

    init(_ headers: HTTPFields) { fields = headers[values: .cookie] }

    /// The value of the first cookie of this name, as it was sent (RFC 6265, 5.4).
    subscript(name: String) -> String? {
        let wanted = Array(name.utf8) + [UInt8(ascii: "=")]
        for field in fields {
            var rest = field.utf8[...]
            while !rest.isEmpty {
                let pair = rest.prefix { $0 != UInt8(ascii: ";") }
                rest = rest[pair.endIndex...].dropFirst()
                let cookie = pair.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                if cookie.starts(with: wanted) { return String(cookie.dropFirst(wanted.count)) }
            }
        }
        return nil
    }
}
