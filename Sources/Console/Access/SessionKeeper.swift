import Cryptography
package import Identifiers
package import Organizations
import StoragePorts
import Synchronization
import UseCases

/// Signs people in to the console, and finds their sessions.
///
/// While the store cannot be asked, sessions that this process knows continue, and the operator can sign in: operators
/// use the console to find what is wrong. Sessions of that time are added to the store when it is back. Times of a
/// session that the store could not note count in this process: the later of both times is used. If the console can do
/// without the store, it waits as ``StoreWait`` says; an answer that comes later is applied then.
package final class SessionKeeper: Sendable {
    /// How often the use of a session is stored.
    private static let noteEvery = Duration.seconds(60)
    /// How long a link that signs in once is valid.
    package static let linkLifetime = Duration.minutes(10)

    private struct Known {
        var session: ConsoleSession
        /// Whether the store has the session.
        var isStored: Bool
        /// Whether it has times that the store could not note.
        var isAhead = false
        /// Whether it was ended here, and the store does not know that yet.
        var isEnded = false
    }

    private let store: any SessionStore
    private let seals: SessionSeals
    private let keys: any APIKeyStore
    private let operatorKey: APIKeyDigest
    private let provider: ProviderGrants
    private let noteKeyUse: @Sendable (APIKey) -> Void
    /// For answers of the store that it can do without.
    private let wait: StoreWait
    /// Guards the sessions that this process has used lately.
    private let known = Mutex<[SessionDigest: Known]>([:])

    /// - Parameters:
    ///   - provider: the most that accounts of the OpenID provider may do, by the present settings.
    ///   - noteKeyUse: called for each key that a person signs in or confirms with; must return at once.
    ///   - wait: for answers of the store that the keeper can do without.
    package init(
        store: any SessionStore, seals: SessionSeals, keys: any APIKeyStore, operatorKey: APIKeyDigest,
        provider: ProviderGrants, noteKeyUse: @escaping @Sendable (APIKey) -> Void = { _ in }, wait: StoreWait
    ) {
        self.store = store
        self.seals = seals
        self.keys = keys
        self.operatorKey = operatorKey
        self.provider = provider
        self.noteKeyUse = noteKeyUse
        self.wait = wait
    }

    /// The account of a key; `nil` for a key that does not exist. The operator's is known without the store.
    func account(ofKey text: String) async throws -> ConsoleAccount? {
        guard let digest = Credential(text)?.digest else { return nil }
        if constantTimeEqual(digest.bytes, operatorKey.bytes) { return operatorAccount }
        guard let key = try await keys.key(with: digest) else { return nil }
        noteKeyUse(key)
        return Self.account(of: key, digest)
    }

    private var operatorAccount: ConsoleAccount {
        ConsoleAccount(
            name: Principal.operator.name, origin: .operatorKey(operatorKey), grants: [ConsoleGrant(.operator, in: nil)]
        )
    }

    private static func account(of key: APIKey, _ digest: APIKeyDigest) -> ConsoleAccount {
        ConsoleAccount(
            name: key.id.description, origin: .key(digest),
            grants: Set(ConsoleRole.roles(of: key.scopes).map { ConsoleGrant($0, in: key.organization) }))
    }

    /// Begins a session, always with a new token.
    /// - Parameter confirmedAt: when the person proved who they are.
    func begin(_ account: ConsoleAccount, confirmedAt: Timestamp, at now: Timestamp) async throws -> SessionToken {
        var generator = SecureRandom()
        let token = SessionToken(using: &generator)
        let digest = try seals.digest(ofSession: token)
        let session = try seals.sealed(
            ConsoleSession(digest: digest, account: account, madeAt: now, confirmedAt: confirmedAt))
        guard account.isOperator else {
            try await store.add(session)
            remember(session, isStored: true, at: now)
            return token
        }
        remember(session, isStored: false, at: now)
        try await ifReachable { [self] in _ = try await addRemembered(session) }
        return token
    }

    /// Adds a session that this process knows to the store.
    /// - Returns: whether the session is still open.
    private func addRemembered(_ session: ConsoleSession) async throws -> Bool {
        try await store.add(session)
        let isOpen = known.withLock { known in
            guard let mine = known[session.digest], !mine.isEnded else {
                // It was ended here before the store had it.
                known[session.digest] = Known(session: session, isStored: true, isEnded: true)
                return false
            }
            known[session.digest]?.isStored = true
            return true
        }
        // If the store fails, the next request with the session tries again.
        if !isOpen { try? await end(session.digest) }
        return isOpen
    }

    /// The session of a token, if it has not ended and its account still exists.
    /// - Parameters:
    ///   - isUse: whether a person acts; a page that reloads itself does not keep a session open.
    ///   - isNeeded: whether to wait for a store that is unavailable. Sessions that this process knows need no store.
    func session(
        _ token: SessionToken, isUse: Bool, isNeeded: Bool = true, at now: Timestamp
    ) async throws -> ConsoleSession? {
        let digest = try seals.digest(ofSession: token)
        guard var session = try await find(digest, isNeeded: isNeeded, at: now) else { return nil }
        guard session.isLive(at: now), try await isValid(session.account, isNeeded: isNeeded) else {
            try await ifReachable { [self] in try await end(digest) }
            return nil
        }
        if isUse, now >= session.usedAt.advanced(by: Self.noteEvery) {
            let isNoted =
                try await ifReachable { [store] in
                    try await store.update(digest, usedAt: now, confirmedAt: nil)
                } != nil
            session.usedAt = now
            update(session, isAhead: !isNoted)
        } else {
            update(session)
        }
        return session
    }

    private func find(_ digest: SessionDigest, isNeeded: Bool, at now: Timestamp) async throws -> ConsoleSession? {
        let mine = known.withLock { $0[digest] }
        guard let mine else {
            let ask = { @Sendable [store, seals] in try await seals.session(digest, in: store) }
            guard let session = try await isNeeded ? ask() : wait.answer(ask) else { return nil }
            remember(session, isStored: true, at: now)
            return session
        }
        guard !mine.isEnded else {
            try await ifReachable { [self] in try await end(digest) }
            return nil
        }
        // A late answer of the store is applied nevertheless: a session that was ended elsewhere is then gone.
        do { return try await wait.answer { [self] in try await compare(mine, digest) } } catch is any StoreFailure {
            return mine.session
        }
    }

    /// Updates a session that this process knows with the store's data.
    /// - Returns: `nil` if it has ended.
    private func compare(_ mine: Known, _ digest: SessionDigest) async throws -> ConsoleSession? {
        if let stored = try await seals.session(digest, in: store) {
            return known.withLock { known in
                guard var mine = known[digest] else { return stored }
                mine.isStored = true
                mine.isAhead = mine.isAhead && stored.isBehind(mine.session)
                known[digest] = mine
                return mine.isAhead ? stored.withLaterTimes(of: mine.session) : stored
            }
        }
        guard !mine.isStored else {
            // It was ended on another node.
            known.withLock { $0[digest] = nil }
            return nil
        }
        // A store that can be read may refuse writes, for example on a full disk. Then the next request tries again.
        do { return try await addRemembered(mine.session) ? mine.session : nil } catch is any StoreFailure {
            return mine.session
        }
    }

    /// Whether the credential of an account is still valid. The provider is not asked: its account is valid until the
    /// session ends, with no more rights than the settings give.
    private func isValid(_ account: ConsoleAccount, isNeeded: Bool) async throws -> Bool {
        switch account.origin {
        case .operatorKey(let digest): return digest == operatorKey
        case .provider: return provider.include(account)
        case .key(let digest):
            let ask = { @Sendable [keys] in try await keys.key(with: digest) }
            guard let key = try await isNeeded ? ask() : wait.answer(ask) else { return false }
            return Self.account(of: key, digest) == account
        }
    }

    /// Notes that the holder of a session has proved again who they are.
    /// - Parameter proof: the time of the proof, which may be earlier than `now`, when the console learns of it.
    func confirm(_ digest: SessionDigest, provedAt proof: Timestamp, at now: Timestamp) async throws {
        let isNoted =
            try await ifReachable { [store] in try await store.update(digest, usedAt: now, confirmedAt: proof) } != nil
        known.withLock { known in
            if let before = known[digest]?.session.confirmedAt {
                known[digest]?.session.confirmedAt = max(before, proof)
            }
            if !isNoted { known[digest]?.isAhead = true }
        }
    }

    func sessions(of account: ConsoleAccount, at now: Timestamp) async throws -> [ConsoleSession] {
        try await store.sessions(of: account.name, at: now).filter { try seals.isSealed($0) }
    }

    /// Ends a session that another one replaces. If the store cannot be asked, it expires by itself.
    func endFormer(_ digest: SessionDigest) async {
        _ = try? await ifReachable { [self] in try await end(digest) }
    }

    /// - Throws: a ``StoreFailure`` if the store cannot be told of the end; the session then continues, because the
    ///   store would bring it back.
    func end(_ digest: SessionDigest) async throws {
        let isStored = known.withLock { $0[digest]?.isStored } ?? true
        if isStored { _ = try await store.end(digest) }
        known.withLock { $0[digest] = nil }
    }

    func endAll(of account: ConsoleAccount) async throws {
        try await store.endAll(of: account.name)
        known.withLock { known in known = known.filter { $0.value.session.account.name != account.name } }
    }

    /// Ends all sessions of an account of the provider if one of them has other rights than the account has now. While
    /// the store cannot be told, they end in this process.
    /// - Parameter account: as the provider has just described it; without grants if no value gives it a role.
    /// - Returns: whether it ended any.
    func endOutdated(_ account: ConsoleAccount, at now: Timestamp) async throws -> Bool {
        let stored = try await ifReachable { [self] in try await sessions(of: account, at: now) }
        let others = known.withLock { known in
            known.values.filter { stored == nil || !$0.isStored }.map(\.session)
                .filter { $0.account.name == account.name && $0.isLive(at: now) }
        }
        guard ((stored ?? []) + others).contains(where: { $0.account.grants != account.grants }) else { return false }
        let isTold = try await ifReachable { [store] in try await store.endAll(of: account.name) } != nil
        known.withLock { known in
            for (digest, mine) in known where mine.session.account.name == account.name {
                if isTold { known[digest] = nil } else { known[digest]?.isEnded = true }
            }
        }
        return true
    }

    /// The token of a new link that signs the operator in once.
    package func makeLink(at now: Timestamp) async throws -> String {
        var generator = SecureRandom()
        let token = SessionToken(using: &generator)
        try await store.addLink(seals.digest(ofLink: token), at: now)
        return token.text
    }

    /// - Returns: the operator's account, once for each link; `nil` for any other text, and for an expired link.
    func takeLink(_ text: String, at now: Timestamp) async throws -> ConsoleAccount? {
        guard let token = SessionToken(text) else { return nil }
        let oldest = now - Self.linkLifetime
        let isTaken = try await store.takeLink(seals.digest(ofLink: token), madeAfter: oldest, at: now)
        return isTaken ? operatorAccount : nil
    }

    private func remember(_ session: ConsoleSession, isStored: Bool, at now: Timestamp) {
        known.withLock { known in
            // Another request may have found it at the same time.
            if known[session.digest] == nil { known[session.digest] = Known(session: session, isStored: isStored) }
            if known.count > 1000 { known = known.filter { $0.value.session.isLive(at: now) } }
        }
    }

    /// Changes nothing if the session was ended meanwhile.
    private func update(_ session: ConsoleSession, isAhead: Bool = false) {
        known.withLock { known in
            guard let before = known[session.digest], !before.isEnded else { return }
            // A concurrent request may have later times, which the store could not note.
            let ahead = before.isAhead ? before.session : nil
            known[session.digest]?.session = ahead.map(session.withLaterTimes) ?? session
            known[session.digest]?.isAhead = isAhead || ahead != nil
        }
    }

    /// - Parameter ask: continues if the answer does not come in time.
    /// - Returns: `nil` while the store cannot be asked.
    @discardableResult
    private func ifReachable<Value: Sendable>(
        _ ask: @escaping @Sendable () async throws -> Value
    ) async throws -> Value? {
        do { return try await wait.answer(ask) } catch is any StoreFailure { return nil }
    }
}
