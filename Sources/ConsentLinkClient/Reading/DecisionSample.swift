public import Foundation

/// How many decisions were made in a period, and why.
public struct DecisionTotals: Sendable, Hashable, Decodable {
    /// `nil` for the decisions of a period.
    public let message: String?
    /// `nil` for the decisions about a message.
    public let from: Date?
    /// `nil` for the decisions about a message.
    public let to: Date?
    public let decisions: Int
    public let tracked: Int
    public let untracked: Int
    /// Reasons without a decision are left out.
    public let reasons: [Reason: Int]
    /// Days (UTC) with at least one decision, in order; `nil` for the decisions about a message.
    public let days: [DecisionDay]?
}

/// How many decisions were made on a day, and why.
public struct DecisionDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    public let decisions: Int
    public let tracked: Int
    public let untracked: Int
    /// Reasons without a decision are left out.
    public let reasons: [Reason: Int]
}

/// The decisions that a sample is drawn from.
public struct DecisionSampleQuery: Sendable, Hashable {
    /// The seed of the sample, such as the result of dice; 1 to 128 bytes.
    public var seed: String
    /// 1 to 1,000; `nil` is 100.
    public var size: Int?
    /// How many entries of the ledger to draw from; `nil` is all. To repeat a sample, give its
    /// ``DecisionSample/through``.
    public var through: Int?
    public var message: String?
    public var outcome: Outcome?
    public var reason: Reason?
    /// Included.
    public var from: Date?
    /// Not included.
    public var to: Date?

    public init(
        seed: String, size: Int? = nil, through: Int? = nil, message: String? = nil, outcome: Outcome? = nil,
        reason: Reason? = nil, from: Date? = nil, to: Date? = nil
    ) {
        self.seed = seed
        self.size = size
        self.through = through
        self.message = message
        self.outcome = outcome
        self.reason = reason
        self.from = from
        self.to = to
    }

    var string: QueryString {
        get throws(ConsentLinkError) {
            try QueryString().adding("seed", seed).adding("size", size).adding("through", through)
                .adding("message", message).adding("outcome", outcome?.rawValue).adding("reason", reason?.rawValue)
                .adding("from", from).adding("to", to)
        }
    }
}

/// Decisions drawn at random. The same seed draws the same decisions of the same entries.
///
/// The n-th draw is the leaf `firstLeaf + (first 8 bytes of SHA-256("SEED:n"), big-endian, modulo endLeaf -
/// firstLeaf)`.
public struct DecisionSample: Sendable, Hashable, Decodable {
    public let seed: String
    /// How many decisions were asked for.
    public let size: Int
    /// How many of the first entries of the ledger the sample is drawn from.
    public let through: Int
    /// The first leaf that could be drawn.
    public let firstLeaf: Int
    /// The index after the last leaf that could be drawn.
    public let endLeaf: Int
    /// How many draws were made; at most 20,000.
    public let draws: Int
    /// Whether the sample has as many decisions as were asked for, or all that match.
    public let isComplete: Bool
    /// In the order in which they were drawn.
    public let sample: [SampledDecision]
}

/// A decision, and the place of its entry in the ledger.
public struct SampledDecision: Sendable, Hashable, Decodable {
    public let leaf: Int
    public let decision: Decision
}
