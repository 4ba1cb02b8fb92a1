/// For how long the service keeps what it stores.
public struct Retention: Sendable, Hashable, Codable {
    public var interactions: RetentionPeriod
    /// After this period a decision no longer names its recipient.
    public var decisions: RetentionPeriod

    public init(interactions: RetentionPeriod, decisions: RetentionPeriod) {
        self.interactions = interactions
        self.decisions = decisions
    }

    private enum CodingKeys: String, CodingKey {
        case interactions = "interactionsDays"
        case decisions = "decisionsDays"
    }
}

/// How long the service is to keep what it stores from now on. Older data is deleted within minutes.
///
/// ```swift
/// try await acme.change(OrganizationChange(retention: RetentionChange(decisions: .forever)))
/// ```
public struct RetentionChange: Sendable, Hashable, Encodable {
    /// `nil` keeps the present period; for a new organization it is 760 days.
    public var interactions: RetentionPeriod?
    /// `nil` keeps the present period; for a new organization it is 1,825 days.
    public var decisions: RetentionPeriod?

    public init(interactions: RetentionPeriod? = nil, decisions: RetentionPeriod? = nil) {
        self.interactions = interactions
        self.decisions = decisions
    }

    private enum CodingKeys: String, CodingKey {
        case interactions = "interactionsDays"
        case decisions = "decisionsDays"
    }
}

/// How long data is kept, in days of 24 hours.
public enum RetentionPeriod: Sendable, Hashable, Codable {
    /// 1 to 36,500.
    case days(Int)
    case forever

    private static let foreverName = "forever"

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .forever
        } else if let days = try? container.decode(Int.self) {
            self = .days(days)
        } else {
            guard try container.decode(String.self) == Self.foreverName else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither days nor forever")
            }
            self = .forever
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .days(let days): try container.encode(days)
        // Null means the service's default, and would end a retention that is meant to be for ever.
        case .forever: try container.encode(Self.foreverName)
        }
    }
}

/// How much an organization may do. Only the operator sets them.
public struct Quotas: Sendable, Hashable, Codable {
    /// `nil` is any number.
    public var requestsPerMinute: Int?
    /// The most interactions that are stored; `nil` is any number.
    public var interactions: Int?

    public init(requestsPerMinute: Int? = nil, interactions: Int? = nil) {
        self.requestsPerMinute = requestsPerMinute
        self.interactions = interactions
    }
}
