/// A word of the service's vocabulary. A later version of the service may use words for which this library has no
/// constant; they are decoded as well.
public protocol OpenName: RawRepresentable<String>, Hashable, Sendable, Codable, CodingKeyRepresentable,
    ExpressibleByStringLiteral, CustomStringConvertible
{
    init(rawValue: String)
}

extension OpenName {
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    public var description: String { rawValue }
}
