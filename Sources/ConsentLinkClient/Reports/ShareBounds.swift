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
