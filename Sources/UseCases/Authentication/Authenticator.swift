import Cryptography
package import Organizations

/// Finds the principal that makes a request, by its bearer key (RFC 6750).
package struct Authenticator: Sendable {
    private let operatorKey: APIKeyDigest
    private let keys: any APIKeyStore
    private let noteUse: @Sendable (APIKey) -> Void

    /// - Parameter noteUse: is called for each use of a key, and must return at once.
    package init(
        operatorKey: APIKeyDigest, keys: any APIKeyStore,
        noteUse: @escaping @Sendable (APIKey) -> Void = { _ in }
    ) {
        self.operatorKey = operatorKey
        self.keys = keys
        self.noteUse = noteUse
    }

    /// Asks the store with each call, so that a deleted key is refused at once.
    ///
    /// - Parameter header: the value of `Authorization`.
    /// - Returns: ``Principal/anonymous`` for a missing or malformed header, and for a key that does not exist.
    package func principal(by header: String?) async throws -> Principal {
        guard let header else { return .anonymous }
        let words = header.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count == 2, words[0].lowercased() == "bearer", let credential = Credential(String(words[1])) else {
            return .anonymous
        }
        let digest = credential.digest
        if constantTimeEqual(digest.bytes, operatorKey.bytes) { return .operator }
        guard let key = try await keys.key(with: digest) else { return .anonymous }
        noteUse(key)
        return .key(key)
    }
}
