import Cryptography

/// Makes a sealer for each connection.
struct SealingKeys: Sendable {
    private let key: SecretBytes

    /// - Parameter key: the erasure key, which is not in the database.
    init(key: SecretBytes) { self.key = key }

    func sealer() throws(CryptographyError) -> PersonalDataSealer { try PersonalDataSealer(key: key) }
}
