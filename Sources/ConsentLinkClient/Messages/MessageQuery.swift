public import Foundation

/// Which messages are listed; `nil` is any.
public struct MessageQuery: Sendable, Hashable {
    /// The beginning of the name, byte for byte.
    public var namePrefix: String?
    public var tag: String?
    /// Made from this moment on.
    public var from: Date?
    /// Made before this moment.
    public var to: Date?

    public init(namePrefix: String? = nil, tag: String? = nil, from: Date? = nil, to: Date? = nil) {
        self.namePrefix = namePrefix
        self.tag = tag
        self.from = from
        self.to = to
    }
}
