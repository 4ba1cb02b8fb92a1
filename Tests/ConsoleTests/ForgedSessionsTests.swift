import Cryptography
import Identifiers
import Organizations
import TestSupport
import Testing
import UseCases

@testable import Console

/// Links and sessions that somebody writes into the store, without a key of the service.
@Suite struct ForgedSessionsTests {
    private let store = FailingSessionStore()
    private let keeper: SessionKeeper
    private let operatorKey: Credential

    init() throws {
        var generator = SeededGenerator(seed: 5)
        operatorKey = Credential(using: &generator)
        keeper = try .test(store, operatorKey: operatorKey)
    }

    @Test("a link that was written into the store with the plain digest of a token signs nobody in")
    func forgedLink() async throws {
        let made = try await keeper.makeLink(at: .noon)
        #expect(try await keeper.takeLink(made, at: .noon)?.isOperator == true)
        #expect(try await keeper.takeLink(made, at: .noon) == nil)
        let bytes = [UInt8](repeating: 9, count: 32)
        try await store.addLink(SessionDigest(bytes: SHA256.hash(of: bytes)), at: .noon)
        #expect(try await keeper.takeLink(Base64URL.encode(bytes), at: .noon) == nil)
    }

    @Test("a session whose account, rights or time were changed in the store, or which was moved, is none")
    func forgedSession() async throws {
        var generator = SeededGenerator(seed: 8)
        let (acme, anotherKey) = (try OrganizationID("acme"), Credential(using: &generator))
        func account(_ name: String, _ key: Credential, _ grants: Set<ConsoleGrant>) -> ConsoleAccount {
            ConsoleAccount(name: name, origin: .operatorKey(key.digest), grants: grants)
        }
        let theirs = account("operator", operatorKey, [ConsoleGrant(.auditor, in: acme)])
        let changes: [(ConsoleSession) -> (ConsoleAccount, Timestamp)] = [
            { (account("operator", operatorKey, [ConsoleGrant(.operator, in: nil)]), $0.madeAt) },
            { (account("5f3a", operatorKey, theirs.grants), $0.madeAt) },
            { (account("operator", anotherKey, theirs.grants), $0.madeAt) },
            { (ConsoleAccount(name: theirs.name, origin: .provider, grants: theirs.grants), $0.madeAt) },
            { ($0.account, $0.madeAt + 1) },
        ]
        for change in changes {
            let token = try await keeper.begin(theirs, confirmedAt: .noon, at: .noon)
            #expect(try await keeper.session(token, isUse: false, at: .noon)?.account == theirs)
            try store.change(token.digest) { session in
                let (account, madeAt) = change(session)
                return ConsoleSession(digest: session.digest, account: account, madeAt: madeAt, seal: session.seal)
            }
            #expect(try await keeper.session(token, isUse: false, at: .noon + 1) == nil)
        }
        let own = SessionToken(using: &generator)
        let other = try await keeper.begin(theirs, confirmedAt: .noon, at: .noon)
        let stored = try #require(try store.stored(other.digest))
        for digest in [SessionDigest(bytes: SHA256.hash(of: try Base64URL.decode(own.text))), try own.digest] {
            try await store.add(
                ConsoleSession(digest: digest, account: stored.account, madeAt: stored.madeAt, seal: stored.seal))
        }
        #expect(try await keeper.session(own, isUse: false, at: .noon) == nil)
        #expect(try await keeper.sessions(of: theirs, at: .noon).map(\.digest) == [stored.digest])
    }
}
