/// How many people a report is about. A person with several decisions counts once: as tracked if any decision tracks
/// them, else by the latest decision.
public struct ReportedPeople: Sendable, Hashable, Decodable {
    public let composed: Int
    /// People whose clicks are tracked.
    public let tracked: Int
    /// Reasons without a recipient are left out.
    public let untracked: [Reason: Int]
    /// The same people by the decisions about their opens. If a message has one purpose, these are the same decisions.
    public let opens: ReportedOpensTracked
    /// People who followed a link, without clicks of machines. This and the next two are `nil` in a report of several
    /// messages if retention has deleted interactions, and in a report of one message if later interactions cannot be
    /// counted by person.
    public let clickers: Int?
    /// People with an opening that a person caused. This and the next are `nil` also if opens are not measured.
    public let openers: Int?
    /// People without such an opening, but with one whose cause cannot be told.
    public let possibleOpeners: Int?
}

/// How many people there are by the decisions about their opens.
public struct ReportedOpensTracked: Sendable, Hashable, Decodable {
    /// People whose opens are tracked.
    public let tracked: Int
    /// Reasons without a recipient are left out.
    public let untracked: [Reason: Int]
}

/// Shares of people, each with its interval. Shares of people who did something are shares of tracked people, because
/// nothing is known of the others.
public struct ReportedRates: Sendable, Hashable, Decodable {
    /// People whose clicks are tracked, of composed people.
    public let coverage: Rate
    /// People whose opens are tracked, of composed people.
    public let opensCoverage: Rate
    /// Clickers of people whose clicks are tracked.
    public let clickers: Rate
    /// Openers of people whose opens are tracked.
    public let openers: Rate
    /// Openers and possible openers of people whose opens are tracked.
    public let openersAtMost: Rate
}

/// A share of ``n`` people.
public struct Rate: Sendable, Hashable, Decodable {
    /// A share, and its 95 % Wilson score interval: from ``low`` to ``high``. Each is from 0 to 1.
    public struct Estimate: Sendable, Hashable {
        public let value: Double
        public let low: Double
        public let high: Double
    }

    /// The number of people.
    public let n: Int
    /// `nil` if ``n`` is 0, and if it is unknown or not measured how many did it.
    public let estimate: Estimate?
    /// The purposes that the ``n`` people were asked for; each purpose of several messages once.
    public let purposes: [String]

    private enum CodingKeys: CodingKey { case n, value, low, high, purposes }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        n = try members.decode(Int.self, forKey: .n)
        purposes = try members.decode([String].self, forKey: .purposes)
        let value = try members.decodeIfPresent(Double.self, forKey: .value)
        let low = try members.decodeIfPresent(Double.self, forKey: .low)
        let high = try members.decodeIfPresent(Double.self, forKey: .high)
        if let value, let low, let high {
            estimate = Estimate(value: value, low: low, high: high)
        } else {
            estimate = nil
        }
    }
}

/// The least and the greatest possible shares of all composed people.
public struct ReportedBounds: Sendable, Hashable, Decodable {
    public let clickers: ShareBounds
    public let openers: ShareBounds
}

/// The least and the greatest share of ``n`` people: if none of the unknown people did it, and if all of them did.
public struct ShareBounds: Sendable, Hashable, Decodable {
    /// The number of people.
    public let n: Int
    /// Shares from 0 to 1; `nil` if ``n`` is 0, and if it is unknown or not measured how many did it.
    public let range: ClosedRange<Double>?
    /// The purposes that the people were asked for; each purpose of several messages once.
    public let purposes: [String]

    private enum CodingKeys: CodingKey { case n, low, high, purposes }

    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        n = try members.decode(Int.self, forKey: .n)
        purposes = try members.decode([String].self, forKey: .purposes)
        let low = try members.decodeIfPresent(Double.self, forKey: .low)
        let high = try members.decodeIfPresent(Double.self, forKey: .high)
        guard let low, let high else {
            range = nil
            return
        }
        guard low <= high else {
            throw DecodingError.dataCorruptedError(forKey: .high, in: members, debugDescription: "less than low")
        }
        range = low...high
    }
}

/// Openings by what fetched the picture.
public struct OpensByVisitor<Counts: Sendable & Hashable & Decodable>: Sendable, Hashable, Decodable {
    public let person: Counts
    public let cannotTell: Counts
    public let machine: Counts
}
