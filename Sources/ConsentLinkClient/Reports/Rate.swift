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
