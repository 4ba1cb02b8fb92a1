package import HTTPTypes

extension HTTPField.Name {
    /// A name that is written in the source code. It must be a token (RFC 9110, 5.6.2).
    package static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("a token (RFC 9110, 5.6.2)") }
        return name
    }
}
