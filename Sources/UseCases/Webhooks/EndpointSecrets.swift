package import Cryptography
package import Identifiers
package import Webhooks

/// Makes and opens the secrets of endpoints. They are stored sealed, and shown once.
package struct EndpointSecrets: Sendable {
    private let seal: EndpointSecretSeal

    /// - Parameter erasureKey: the key that all nodes of a storage have.
    package init(erasureKey: SecretBytes) throws(CryptographyError) {
        seal = try EndpointSecretSeal(erasureKey: erasureKey)
    }

    /// A new secret, and what is stored of it.
    package func make(for organization: OrganizationID) throws -> (secret: EndpointSecret, sealed: [UInt8]) {
        var random = SecureRandom()
        let secret = EndpointSecret(using: &random)
        return (secret, try seal.seal(secret, of: organization, using: &random))
    }

    /// - Throws: ``UnreadableSecret`` for one that was sealed by another key or for another organization.
    func open(_ sealed: [UInt8], of organization: OrganizationID) throws -> EndpointSecret {
        guard let secret = try seal.open(sealed, of: organization) else { throw UnreadableSecret() }
        return secret
    }
}

/// A stored secret does not open: the data folder has another erasure key, or the row was changed.
package struct UnreadableSecret: Error, CustomStringConvertible {
    package var description: String { "the secret of an endpoint cannot be opened" }
}
