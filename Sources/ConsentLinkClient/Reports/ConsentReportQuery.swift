public import Foundation

/// The days of a consent report: those that a period of at most 366 days touches.
public struct ConsentReportQuery: Sendable, Hashable {
    /// `nil` is 30 days before ``to``.
    public var from: Date?
    /// `nil` is now.
    public var to: Date?
    /// `nil` is all purposes.
    public var purpose: String?

    public init(from: Date? = nil, to: Date? = nil, purpose: String? = nil) {
        self.from = from
        self.to = to
        self.purpose = purpose
    }

    var string: QueryString {
        get throws(ConsentLinkError) {
            try QueryString().adding("from", from).adding("to", to).adding("purpose", purpose)
        }
    }
}
