import Cryptography
import Identifiers
import Organizations
import StoragePorts
import TestSupport
import Testing
import UseCases

@testable import Console

@Suite struct SessionKeeperTests {
    private static let minute: Int64 = 60_000

    private let store = FailingSessionStore()
    private let keeper: SessionKeeper
    private let operatorKey: Credential

    init() throws {
        var generator = SeededGenerator(seed: 5)
        operatorKey = Credential(using: &generator)
        keeper = try .test(store, operatorKey: operatorKey)
    }

    private func signIn(at now: Timestamp = .noon) async throws -> SessionToken {
        let account = try #require(try await keeper.account(ofKey: operatorKey.text))
        return try await keeper.begin(account, confirmedAt: now, at: now)
    }

    @Test("while the store reads and does not write, a session goes on at every request, and is stored afterwards")
    func notWritten() async throws {
        store.fault = .writes
        let token = try await signIn()
        for minutes in [1, 20, 45] as [Int64] {
            let now = Timestamp.noon + minutes * Self.minute
            #expect(try await keeper.session(token, isUse: true, at: now) != nil)
            #expect(try store.stored(token.digest) == nil)
        }
        store.fault = nil
        #expect(try await keeper.session(token, isUse: false, at: .noon + 46 * Self.minute) != nil)
        #expect(try store.stored(token.digest)?.usedAt == .noon + 45 * Self.minute)
    }

    @Test("what is noted while the store does not write counts: a use, and a proof of who they are")
    func notNoted() async throws {
        let token = try await signIn()
        store.fault = .writes
        for minutes in [20, 40] as [Int64] {
            let now = Timestamp.noon + minutes * Self.minute
            #expect(try await keeper.session(token, isUse: true, at: now) != nil)
        }
        let confirmed = Timestamp.noon + 41 * Self.minute
        try await keeper.confirm(token.digest, provedAt: confirmed, at: confirmed)
        let session = try #require(try await keeper.session(token, isUse: false, at: confirmed))
        #expect(session.confirmedAt == confirmed && session.usedAt == .noon + 40 * Self.minute)
        #expect(try store.stored(token.digest)?.usedAt == .noon)
    }

    @Test("a proof counts from when it was given, not from when the console learns of it", arguments: [true, false])
    func earlierProof(_ isNoted: Bool) async throws {
        let token = try await signIn()
        if !isNoted { store.fault = .writes }
        let first = Timestamp.noon + 2 * Self.minute
        let now = Timestamp.noon + 9 * Self.minute
        try await keeper.confirm(token.digest, provedAt: first, at: now)
        #expect(try await keeper.session(token, isUse: false, at: now)?.confirmedAt == first)
        // An answer that was delayed takes back no later proof.
        try await keeper.confirm(token.digest, provedAt: .noon, at: now)
        #expect(try await keeper.session(token, isUse: false, at: now)?.confirmedAt == first)
    }

    @Test("requests at once add a session once")
    func atOnce() async throws {
        store.fault = .everything
        let token = try await signIn()
        store.fault = nil
        try await withThrowingTaskGroup(of: Bool.self) { [keeper] group in
            for _ in 0..<16 {
                group.addTask { try await keeper.session(token, isUse: true, at: .noon) != nil }
            }
            for try await isOpen in group { #expect(isOpen) }
        }
        #expect(try store.stored(token.digest) != nil)
    }

    @Test("one that was stored and is there no longer was ended at another node")
    func endedElsewhere() async throws {
        let token = try await signIn()
        _ = try await store.end(token.digest)
        #expect(try await keeper.session(token, isUse: true, at: .noon) == nil)
        store.fault = .everything
        await #expect(throws: FailingSessionStore.Failure.self) {
            _ = try await keeper.session(token, isUse: true, at: .noon)
        }
    }

    @Test("while the store does not answer, no request waits for it: the operator signs in, and a session goes on")
    func silent() async throws {
        let before = try await signIn()
        store.fault = .silence
        let token = try await signIn()
        for minutes in [0, 10] as [Int64] {
            let now = Timestamp.noon + minutes * Self.minute
            #expect(try await keeper.session(before, isUse: true, at: now) != nil)
            #expect(try await keeper.session(token, isUse: true, at: now) != nil)
        }
        let confirmed = Timestamp.noon + 11 * Self.minute
        try await keeper.confirm(token.digest, provedAt: confirmed, at: confirmed)
        var generator = SeededGenerator(seed: 6)
        await #expect(throws: StoreWait.Silence.self) {
            _ = try await keeper.session(SessionToken(using: &generator), isUse: true, isNeeded: false, at: .noon)
        }
        #expect(store.silentCalls > 0, "no call of the store was waited for to its end")
        store.fault = nil
        #expect(try await eventually { try store.stored(token.digest) != nil })
        let session = try #require(try await keeper.session(token, isUse: false, at: .noon + 11 * Self.minute))
        #expect(session.confirmedAt == .noon + 11 * Self.minute)
    }

    @Test("one that was ended at another node is refused as soon as the store answers")
    func endedElsewhereInSilence() async throws {
        let token = try await signIn()
        _ = try await store.end(token.digest)
        store.fault = .silence
        #expect(try await keeper.session(token, isUse: true, at: .noon) != nil)
        store.fault = nil
        #expect(try await eventually { try await keeper.session(token, isUse: true, at: .noon) == nil })
    }

    @Test("one that was ended while the store gave no answer does not come back when the answer comes")
    func endedInSilence() async throws {
        store.fault = .silence
        let token = try await signIn()
        try await keeper.end(token.digest)
        #expect(store.silentCalls > 0)
        store.fault = nil
        #expect(try await eventually { try store.silentCalls == 0 && store.ended.contains(token.digest) })
        #expect(try store.stored(token.digest) == nil)
    }

    @Test("one that the store got just when it was ended stays ended, although the store did not take its end")
    func endedWhileItWasAdded() async throws {
        store.fault = .writes
        let token = try await signIn()
        store.fault = .ends
        store.afterAdding { [keeper] in try? await keeper.end(token.digest) }
        _ = try await keeper.session(token, isUse: true, at: .noon)
        #expect(try store.stored(token.digest) != nil)
        #expect(try await keeper.session(token, isUse: true, at: .noon) == nil)
        store.fault = nil
        #expect(try await keeper.session(token, isUse: true, at: .noon) == nil)
        #expect(try store.stored(token.digest) == nil)
    }

    @Test("one that is ended while a request of it runs is not known again after it")
    func endedDuringARequest() async throws {
        let token = try await signIn()
        store.afterReading { [keeper] in try? await keeper.end(token.digest) }
        _ = try await keeper.session(token, isUse: true, at: .noon)
        store.fault = .everything
        await #expect(throws: FailingSessionStore.Failure.self) {
            _ = try await keeper.session(token, isUse: true, at: .noon)
        }
    }

    @Test("one that was ended while the store did not write does not come back with the store")
    func endedMeanwhile() async throws {
        store.fault = .writes
        let token = try await signIn()
        try await keeper.end(token.digest)
        store.fault = nil
        #expect(try await keeper.session(token, isUse: true, at: .noon) == nil)
        #expect(try store.stored(token.digest) == nil)
    }
}

extension SessionToken {
    var digest: SessionDigest {
        get throws { try SessionSeals(erasureKey: SessionKeeper.testErasureKey).digest(ofSession: self) }
    }
}
