/// A word of the service's vocabulary. A later version of the service may use words that this library has no constant
/// for; they are decoded all the same.
public protocol OpenName: RawRepresentable<String>, Hashable, Sendable, Codable, CodingKeyRepresentable,
    ExpressibleByStringLiteral, CustomStringConvertible
{
    init(rawValue: String)
}

extension OpenName {
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    public var description: String { rawValue }
}
