import Identifiers
import Organizations
import TestSupport
import Testing
import UseCases

@testable import Console

/// Sessions of accounts of a provider whose roles have changed there.
@Suite struct OutdatedSessionsTests {
    private static let auditor = ConsoleGrant(ConsoleRole.auditor, in: try? OrganizationID("acme"))
    private static let `operator` = ConsoleGrant(ConsoleRole.operator, in: nil)

    private let store = FailingSessionStore()
    private let keeper: SessionKeeper

    init() throws {
        var generator = SeededGenerator(seed: 7)
        keeper = try .test(store, operatorKey: Credential(using: &generator))
    }

    private func account(_ grants: Set<ConsoleGrant>, name: String = "otto@https://id.example") -> ConsoleAccount {
        ConsoleAccount(name: name, origin: .provider, grants: grants)
    }

    private func begin(_ account: ConsoleAccount) async throws -> SessionDigest {
        try await keeper.begin(account, confirmedAt: .noon, at: .noon).digest
    }

    @Test("all sessions of an account end when one has other roles than the account has now", arguments: [true, false])
    func changed(_ hasRole: Bool) async throws {
        let ended = [
            try await begin(account([Self.operator])), try await begin(account([Self.operator, Self.auditor])),
        ]
        let other = try await begin(account([Self.operator], name: "eve@https://id.example"))
        let now = account(hasRole ? [Self.auditor] : [])
        #expect(try await keeper.endOutdated(now, at: .noon))
        #expect(ended.allSatisfy { store.stored($0) == nil } && store.stored(other) != nil)
        #expect(try await !keeper.endOutdated(now, at: .noon))
    }

    @Test("with the same roles they go on, and a session that has expired ends no other one")
    func same() async throws {
        _ = try await begin(account([Self.operator]))
        let later = Timestamp.noon.advanced(by: ConsoleSession.idleTime)
        let open = try await keeper.begin(account([Self.auditor]), confirmedAt: later, at: later)
        #expect(try await !keeper.endOutdated(account([Self.auditor]), at: later))
        #expect(try store.stored(open.digest) != nil)
    }

    @Test("while the store takes no writes they end in this process, and in the store when it is back")
    func storeAway() async throws {
        let token = try await keeper.begin(account([Self.operator]), confirmedAt: .noon, at: .noon)
        store.fault = .everything
        #expect(try await keeper.endOutdated(account([]), at: .noon))
        #expect(try await keeper.session(token, isUse: true, at: .noon) == nil)
        store.fault = nil
        #expect(try await keeper.session(token, isUse: true, at: .noon) == nil)
        #expect(try store.stored(token.digest) == nil)
    }
}
