import Identifiers
import Organizations
import StoragePorts
import Synchronization

@testable import Console

/// A store in memory that a test lets fail.
final class FailingSessionStore: SessionStore {
    struct Failure: StoreFailure {
        let description = "a fault that a test made"
        let isTransient = true
    }

    enum Fault {
        case writes
        /// No end of a session is written.
        case ends
        case everything
        /// No call comes to an end, until there is no fault; after five seconds it fails, so that no test waits for ever.
        case silence
    }

    private struct State {
        var sessions: [SessionDigest: ConsoleSession] = [:]
        var fault: Fault?
        var silentCalls = 0
        var ended: Set<SessionDigest> = []
        var links: Set<SessionDigest> = []
        var afterAdding: (@Sendable () async -> Void)?
        var afterReading: (@Sendable () async -> Void)?
    }

    /// Guards the sessions, the fault and the calls.
    private let state = Mutex(State())

    var fault: Fault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Is done once, between a call and its answer.
    func afterAdding(_ work: @escaping @Sendable () async -> Void) { state.withLock { $0.afterAdding = work } }
    func afterReading(_ work: @escaping @Sendable () async -> Void) { state.withLock { $0.afterReading = work } }

    func stored(_ digest: SessionDigest) -> ConsoleSession? { state.withLock { $0.sessions[digest] } }

    /// Calls that have not come to an end.
    var silentCalls: Int { state.withLock { $0.silentCalls } }

    var ended: Set<SessionDigest> { state.withLock { $0.ended } }

    /// Waits while the store is silent.
    private func answering() async throws {
        state.withLock { $0.silentCalls += 1 }
        defer { state.withLock { $0.silentCalls -= 1 } }
        for _ in 0..<1000 {
            guard fault == .silence else { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Failure()
    }

    private func write<Value: Sendable>(
        _ body: (inout [SessionDigest: ConsoleSession]) -> Value
    ) async throws -> Value {
        try await answering()
        let written: Value? = state.withLock { state in
            guard state.fault == nil || state.fault == .ends else { return nil }
            return body(&state.sessions)
        }
        guard let written else { throw Failure() }
        return written
    }

    func add(_ session: ConsoleSession) async throws {
        try await write { sessions in
            if sessions[session.digest] == nil { sessions[session.digest] = session }
        }
        await state.withLock { $0.afterAdding.take() }?()
    }

    func session(_ digest: SessionDigest) async throws -> ConsoleSession? {
        try await answering()
        guard fault != .everything else { throw Failure() }
        let found = stored(digest)
        await state.withLock { $0.afterReading.take() }?()
        return found
    }

    func sessions(of account: String, at now: Timestamp) async throws -> [ConsoleSession] {
        state.withLock { $0.sessions.values.filter { $0.account.name == account && $0.isLive(at: now) } }
    }

    func update(_ digest: SessionDigest, usedAt now: Timestamp, confirmedAt confirmed: Timestamp?) async throws {
        try await write { sessions in
            sessions[digest]?.usedAt = now
            if let confirmed, let before = sessions[digest]?.confirmedAt {
                sessions[digest]?.confirmedAt = max(before, confirmed)
            }
        }
    }

    func end(_ digest: SessionDigest) async throws -> Bool {
        guard fault != .ends else { throw Failure() }
        let isEnded = try await write { $0.removeValue(forKey: digest) != nil }
        state.withLock { _ = $0.ended.insert(digest) }
        return isEnded
    }

    func endAll(of account: String) async throws {
        try await write { sessions in sessions = sessions.filter { $0.value.account.name != account } }
    }

    func addLink(_ digest: SessionDigest, at _: Timestamp) async throws {
        state.withLock { _ = $0.links.insert(digest) }
    }

    func takeLink(_ digest: SessionDigest, madeAfter _: Timestamp, at _: Timestamp) async throws -> Bool {
        state.withLock { $0.links.remove(digest) != nil }
    }

    /// Changes a session without the service.
    func change(_ digest: SessionDigest, _ body: (ConsoleSession) -> ConsoleSession) {
        state.withLock { $0.sessions[digest] = $0.sessions[digest].map(body) }
    }
}

/// No organization has a key.
struct NoAPIKeys: APIKeyStore {
    func key(with _: APIKeyDigest) async throws -> APIKey? { nil }

    func keys(of _: OrganizationID) async throws -> [APIKey] { [] }
    func keys(of _: OrganizationID, after _: APIKeyID?, limit _: Int) async throws -> [APIKey] { [] }

    func addKey(
        _: NewAPIKey, to _: OrganizationID, by _: APIKeyID?, at _: Timestamp
    ) async throws -> APIKey? { nil }

    func removeKey(_: APIKeyID, of _: OrganizationID) async throws -> Bool { false }

    func noteUses(_: [APIKeyID: Timestamp]) async throws {}
}
