/// Why a text is not a target, an origin or a pattern of hosts.
///
/// Its description says what is wrong and never repeats the text, so it may be shown to unknown clients.
package enum TargetURLError: Error, Hashable, CaseIterable, CustomStringConvertible {
    case empty
    case tooLong
    case controlCharacter
    case whiteSpace
    case backslash
    case notASCII
    case forbiddenCharacter
    case badPercentEncoding
    case notAbsolute
    case refusedScheme
    case schemeAlone
    case slashesMissing
    case credentials
    case emptyHost
    case badHost
    case badPort
    case ownOrigin
    case hostNotAllowed
    case notAnOrigin
    case notAHostPattern

    package var description: String {
        switch self {
        case .empty: "must not be empty"
        case .tooLong: "must be at most \(TargetURL.maximumLength) bytes"
        case .controlCharacter: "must not contain control characters"
        case .whiteSpace: "must not contain white space; write a space as %20"
        case .backslash: "must not contain backslashes"
        case .notASCII: "must be ASCII: percent-encode other characters, and write a host in its xn-- form"
        case .forbiddenCharacter: "contains a character that must be percent-encoded there (RFC 3986)"
        case .badPercentEncoding: "must have two hexadecimal digits after every percent sign"
        case .notAbsolute: "must be an absolute URL such as https://shop.example/"
        case .refusedScheme: "must not have a scheme that runs code, reads local data or contains another URL"
        case .schemeAlone: "must have something after the scheme and its colon"
        case .slashesMissing: "must have // after http: or https:"
        case .credentials: "must not contain a user name or password"
        case .emptyHost: "must name a host"
        case .badHost: "must name a host of letters, digits, hyphens and dots, or an IP address in its usual form"
        case .badPort: "must have a port from 0 to 65535, if any"
        case .ownOrigin: "must not lead to this service itself"
        case .hostNotAllowed: "must lead to one of the organization's targetHosts"
        case .notAnOrigin: "must be http:// or https://, a host and perhaps a port, with nothing behind it"
        case .notAHostPattern: "must be a host such as shop.example, or *.shop.example for all below it"
        }
    }
}
