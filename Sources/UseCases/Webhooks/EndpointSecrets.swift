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

    /// A new secret, and its sealed form for the store.
    package func make(for organization: OrganizationID) throws -> (secret: EndpointSecret, sealed: [UInt8]) {
        var random = SecureRandom()
        let secret = EndpointSecret(using: &random)
        return (secret, try seal.seal(secret, of: organization, using: &random))
    }

    /// - Parameter sealed: the present secret first. A former one that cannot be opened is left out, so that an
    ///   endpoint works again after it was given another secret.
    /// - Returns: `nil` if the present one was sealed with another key or for another organization.
    func open(_ sealed: [[UInt8]], of organization: OrganizationID) throws(CryptographyError) -> [EndpointSecret]? {
        let opened = try sealed.map { sealed throws(CryptographyError) in try seal.open(sealed, of: organization) }
        guard let present = opened.first, present != nil else { return nil }
        return opened.compactMap(\.self)
    }
}
