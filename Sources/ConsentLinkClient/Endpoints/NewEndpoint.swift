/// An endpoint to make.
public struct NewEndpoint: Sendable, Hashable, Encodable {
    public var url: String
    public var kinds: [EventKind]
    /// `nil` includes nothing.
    public var include: [IncludedMember]?

    public init(url: String, kinds: [EventKind], include: [IncludedMember]? = nil) {
        self.url = url
        self.kinds = kinds
        self.include = include
    }
}

/// A change of an endpoint; `nil` keeps the present value.
public struct EndpointChange: Sendable, Hashable, Encodable {
    public var url: String?
    public var kinds: [EventKind]?
    public var include: [IncludedMember]?

    public init(url: String? = nil, kinds: [EventKind]? = nil, include: [IncludedMember]? = nil) {
        self.url = url
        self.kinds = kinds
        self.include = include
    }
}
