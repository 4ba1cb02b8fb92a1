public import Foundation

/// The messages of a report: those that were made in a period of at most 366 days, and at most 10,000.
public struct ReportQuery: Sendable, Hashable {
    /// Made from this moment on; `nil` is 30 days before ``to``.
    public var from: Date?
    /// Made before this moment; `nil` is now.
    public var to: Date?
    /// Only messages with this tag; `nil` is any.
    public var tag: String?

    public init(from: Date? = nil, to: Date? = nil, tag: String? = nil) {
        self.from = from
        self.to = to
        self.tag = tag
    }

    var string: QueryString {
        get throws(ConsentLinkError) {
            try QueryString().adding("from", from).adding("to", to).adding("tag", tag)
        }
    }
}
