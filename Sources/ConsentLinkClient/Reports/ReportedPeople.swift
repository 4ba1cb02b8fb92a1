/// How many people a report is about. Somebody composed twice is one person; tracked once is tracked, else the latest
/// decision counts.
public struct ReportedPeople: Sendable, Hashable, Decodable {
    public let composed: Int
    /// Whose clicks are tracked.
    public let tracked: Int
    /// Reasons that apply to nobody are left out.
    public let untracked: [Reason: Int]
    /// The same people by the decisions about their opens. They are the same decisions where a message has one purpose.
    public let opens: ReportedOpensTracked
    /// Who followed a link, machines' clicks apart. `nil` in a report of several messages of which retention has
    /// deleted interactions, and in that of one once people acted later who may not be counted, as are the next two.
    public let clickers: Int?
    /// Who has an opening that was a person's. `nil` also where opens are not measured, as is the next.
    public let openers: Int?
    /// Who has none such, and one of which it cannot be told.
    public let possibleOpeners: Int?
}

/// How many people there are by the decisions about their opens.
public struct ReportedOpensTracked: Sendable, Hashable, Decodable {
    /// Whose opens are tracked.
    public let tracked: Int
    /// Reasons that apply to nobody are left out.
    public let untracked: [Reason: Int]
}

/// Shares of people, each with its interval. Those of who did something are of tracked people, because of others
/// nothing is known.
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

    /// Of how many people.
    public let n: Int
    /// `nil` where ``n`` is 0, and where it is not known or not measured how many did it.
    public let estimate: Estimate?
    /// For what the people were asked whom it is a share of; of several messages each purpose once.
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

/// Between which shares of all composed people the truth lies.
public struct ReportedBounds: Sendable, Hashable, Decodable {
    public let clickers: ShareBounds
    public let openers: ShareBounds
}

/// The least and the greatest share of ``n`` people: if nobody of whom it is not known did it, and if all of them did.
public struct ShareBounds: Sendable, Hashable, Decodable {
    /// Of how many people.
    public let n: Int
    /// Shares from 0 to 1; `nil` where ``n`` is 0, and where it is not known or not measured how many did it.
    public let range: ClosedRange<Double>?
    /// For what the people were asked; of several messages each purpose once.
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
