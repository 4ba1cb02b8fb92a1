package import Cryptography
import Identifiers

/// Hashes the key of a recipient. The storage finds recipients by the hash, and only the hash stays after an erasure.
///
/// HMAC-SHA-256 of organization, a zero byte and the key's text. The HMAC key is not in the database, so a copy of the
/// database does not allow guessing identifiers. No organization's name contains a zero byte, so no two pairs give the
/// same message.
package struct RecipientHasher: Sendable {
    private let key: SecretBytes

    package init(key: SecretBytes) { self.key = key }

    /// Recipients of one organization with their hashes, in the order given.
    func people(
        named names: some Sequence<RecipientID>,
        in organization: OrganizationID,
        by comparison: RecipientComparison
    ) throws -> [NamedRecipient] {
        let hmac = try HMACSHA256(key: key)
        var message = Array(organization.description.utf8) + [0]
        let prefix = message.count
        return names.map { name in
            let key = RecipientKey(name, by: comparison)
            message.removeSubrange(prefix...)
            message.append(contentsOf: key.text.utf8)
            return NamedRecipient(name: name, key: key, hash: hmac.tag(of: message.span))
        }
    }

    func person(
        named name: RecipientID, in organization: OrganizationID, by comparison: RecipientComparison
    ) throws -> NamedRecipient {
        try people(named: CollectionOfOne(name), in: organization, by: comparison)[0]
    }

    /// A keyed hash of other content. It is that of no recipient: no organization's name begins with a zero byte.
    func mark(of content: [UInt8]) throws -> HMACSHA256.Tag {
        let message = [0] + content
        return try HMACSHA256(key: key).tag(of: message.span)
    }

    /// A hash that belongs to no recipient: no organization has an empty name.
    func keyCheck() throws -> HMACSHA256.Tag {
        let nobody: [UInt8] = []
        return try HMACSHA256(key: key).tag(of: nobody.span)
    }
}
