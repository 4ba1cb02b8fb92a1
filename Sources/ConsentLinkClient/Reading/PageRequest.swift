/// A query, and the page to read.
struct PageRequest<Query: Encodable>: Encodable {
    let query: Query
    let after: String?
    let limit: Int

    private enum CodingKeys: CodingKey { case after, limit }

    func encode(to encoder: any Encoder) throws {
        try query.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(after, forKey: .after)
        try members.encode(limit, forKey: .limit)
    }
}
