import Foundation

/// A notice without its text, which the caller has.
public struct ShownNotice: Sendable, Hashable, Decodable {
    public let id: String
    public let version: String
    /// The SHA-256 of the text, in lower-case hexadecimal.
    public let sha256: String
    public let language: String
    /// The URL of the text; `nil` if the page shows the text.
    public let url: String?
}
