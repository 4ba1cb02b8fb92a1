package import Cryptography
import Identifiers

/// Turns the key of a recipient into what they are found by, and what stays of them once they are erased.
///
/// HMAC-SHA-256 of organization, a zero byte and the key's text. Without the key, which is not in the database, nobody
/// can try identifiers against it. No organization's name contains a zero byte, so no two pairs give the same message.
package struct RecipientHasher: Sendable {
    private let key: SecretBytes

    package init(key: SecretBytes) { self.key = key }

    /// People of one organization with their hashes, in the order given.
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

    /// A hash that belongs to no person: no organization has an empty name.
    func keyCheck() throws -> HMACSHA256.Tag {
        let nobody: [UInt8] = []
        return try HMACSHA256(key: key).tag(of: nobody.span)
    }
}
