package import Cryptography
import Identifiers

/// Turns a person's identifier into what they are found by, and what stays of them once they are erased.
///
/// HMAC-SHA-256 of organization, a zero byte and identifier: without the key, which is not in the database, nobody can
/// try identifiers against it. A zero byte stands in no organization's name, so no two pairs are the same message.
package struct PersonHasher: Sendable {
    package static let keyLength = 32

    private let key: SecretBytes

    package init(key: SecretBytes) { self.key = key }

    /// The hashes of people of one organization, in the order given.
    func hashes(
        of recipients: some Sequence<RecipientID>,
        in organization: OrganizationID
    ) throws -> [HMACSHA256.Tag] {
        let hmac = try HMACSHA256(key: key)
        var message = Array(organization.description.utf8) + [0]
        let prefix = message.count
        return recipients.map { recipient in
            message.removeSubrange(prefix...)
            message.append(contentsOf: recipient.text.utf8)
            return hmac.tag(of: message.span)
        }
    }

    func hash(of recipient: RecipientID, in organization: OrganizationID) throws -> HMACSHA256.Tag {
        try hashes(of: CollectionOfOne(recipient), in: organization)[0]
    }

    /// The hash of nobody: no organization has an empty name.
    func keyCheck() throws -> HMACSHA256.Tag {
        let nobody: [UInt8] = []
        return try HMACSHA256(key: key).tag(of: nobody.span)
    }
}
