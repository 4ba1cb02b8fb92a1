package import Cryptography
import Identifiers
import Organizations

/// Digests of what browsers hold, and seals of sessions, under keys of the service that are not in the database. A
/// person who can write the database, but has no file of the service, can make neither a link nor a session, nor give a
/// session another account or more rights.
package struct SessionSeals: Sendable {
    private let sessions: SecretBytes
    private let links: SecretBytes
    private let seals: SecretBytes

    /// - Parameter erasureKey: the key that all nodes of a storage have.
    package init(erasureKey: SecretBytes) throws(CryptographyError) {
        sessions = try KeyUse.sessionDigest.key(from: erasureKey)
        links = try KeyUse.linkDigest.key(from: erasureKey)
        seals = try KeyUse.sessionSeal.key(from: erasureKey)
    }

    func digest(ofSession token: SessionToken) throws(CryptographyError) -> SessionDigest {
        try token.digest(under: sessions)
    }

    func digest(ofLink token: SessionToken) throws(CryptographyError) -> SessionDigest {
        try token.digest(under: links)
    }

    func sealed(_ session: ConsoleSession) throws(CryptographyError) -> ConsoleSession {
        var session = session
        session.seal = try seal(of: session)
        return session
    }

    /// Whether a service with these keys made the session as it is, but for the times of its use and of the last proof
    /// of identity.
    func isSealed(_ session: ConsoleSession) throws(CryptographyError) -> Bool {
        try constantTimeEqual(seal(of: session), session.seal)
    }

    /// The session in a store; `nil` also for one that was made or changed there without these keys.
    func session(_ digest: SessionDigest, in store: any SessionStore) async throws -> ConsoleSession? {
        guard let session = try await store.session(digest), try isSealed(session) else { return nil }
        return session
    }

    /// HMAC-SHA-256 over digest, account, origin, grants and the time of the sign-in, each with its length.
    private func seal(of session: ConsoleSession) throws(CryptographyError) -> [UInt8] {
        let origin: [UInt8] =
            switch session.account.origin {
            case .operatorKey(let digest): [1] + digest.bytes
            case .key(let digest): [2] + digest.bytes
            case .provider: [3]
            }
        let grants = session.account.grants.map(\.text).sorted().joined(separator: " ")
        let fields = [
            session.digest.bytes, Array(session.account.name.utf8), origin, Array(grants.utf8),
            session.madeAt.millisecondsSince1970.bigEndianBytes,
        ]
        let content = fields.flatMap { Int64($0.count).bigEndianBytes + $0 }
        let tag = try HMACSHA256(key: seals).tag(of: content.span)
        return (0..<HMACSHA256.tagLength).map { tag[$0] }
    }
}
