/// A new organization, and its first key.
public struct CreatedOrganization: Sendable, Hashable, Decodable {
    public let organization: Organization
    /// Its secret is shown only once.
    public let key: CreatedKey

    private enum CodingKeys: CodingKey { case key }

    public init(from decoder: any Decoder) throws {
        organization = try Organization(from: decoder)
        key = try decoder.container(keyedBy: CodingKeys.self).decode(CreatedKey.self, forKey: .key)
    }
}
