import Cryptography
import Identifiers
import Synchronization
import TestSupport
import Testing
import TrackingIDs

@testable import UseCases

/// Keeps the ring in memory, unless it is told to fail. Takes a while, so that changes can come between.
private final class RingStore: KeyRingStore {
    private let state = Mutex((isBroken: false, keys: [UInt8]()))

    var keys: [UInt8] { state.withLock { $0.keys } }

    func fail() { state.withLock { $0.isBroken = true } }

    func write(_ ring: KeyRing, replacing _: KeyRing) async throws {
        try await Task.sleep(for: .milliseconds(1))
        try state.withLock { state in
            if state.isBroken { throw Outage() }
            state.keys = ring.keys.map(\.id)
        }
    }
}

/// The ring of several nodes, of which some may be away.
private final class SharedRingStore: KeyRingStore {
    private let state = Mutex((missing: [String](), rings: [KeyRing](), awaited: [KeyRing](), isBroken: false))
    private let other = Mutex<KeyRing?>(nil)
    private let current: CurrentKeyRing

    init(_ current: CurrentKeyRing) { self.current = current }

    /// Those that were written, in order.
    var rings: [KeyRing] { state.withLock { $0.rings } }
    /// Those that nodes were waited for to have, in order.
    var awaited: [KeyRing] { state.withLock { $0.awaited } }
    var isShared: Bool { true }

    func miss(_ names: [String]) { state.withLock { $0.missing = names } }

    func write(_ ring: KeyRing, replacing old: KeyRing) async throws {
        try await Task.sleep(for: .milliseconds(1))
        guard old.keys.map(\.id) == current.value.keys.map(\.id) else { throw KeyRingMoved() }
        state.withLock { $0.rings.append(ring) }
        current.replace(with: ring)
    }

    /// From now on it is not known which nodes have the ring.
    func loseNodes() { state.withLock { $0.isBroken = true } }

    /// Another node writes `ring` while nodes are waited for.
    func replaceWhileWaiting(with ring: KeyRing) { other.withLock { $0 = ring } }

    func waitForEveryNode() throws -> [String] {
        if let ring = other.withLock({ $0.take() }) { current.replace(with: ring) }
        return try state.withLock { state in
            if state.isBroken { throw Outage() }
            state.awaited += state.rings.suffix(1)
            return state.missing
        }
    }
}

@Suite struct SharedKeyRotationTests {
    private let store: SharedRingStore
    private let log = LogLines()
    private let current: CurrentKeyRing
    private let rotation: KeyRotation

    init() throws {
        current = CurrentKeyRing(try Samples.keyRing())
        store = SharedRingStore(current)
        rotation = KeyRotation(current: current, store: store, linkLifetimeInDays: 30, logger: log.logger)
    }

    @Test("every node opens with a key before one signs with it")
    func announced() async throws {
        let key = try await rotation.rotate(at: .noon)
        #expect(store.rings.map(\.signingKey.id) == [1, key.id])
        #expect(store.rings.allSatisfy { $0.keys.map(\.id) == [1, key.id] })
        #expect(store.rings[0].announcedKey?.id == key.id)
        #expect(store.rings[1].announcedKey == nil)
        #expect(current.value.signingKey.id == key.id)
        #expect(current.value[1]?.signedUntil == .noon)
        #expect(current.value.keys.map(\.maximumLifetimeInDays) == [30, 30])
    }

    @Test("no link outlives 2106, even of a key that signed while the clock was ahead of that")
    func latest() async throws {
        _ = try await rotation.rotate(at: Timestamp(secondsSince1970: 5_000_000_000))
        #expect(await rotation.list().map(\.linksAliveUntil) == [LinkExpiry.latest.timestamp, nil])
    }

    @Test("a key that a node does not have signs nothing, and is gone on with later")
    func missing() async throws {
        store.miss(["links-2"])
        let refusal = await #expect(throws: KeyRotation.RotationRefusal.self) {
            try await rotation.rotate(at: .noon)
        }
        #expect(refusal?.nodes == ["links-2"])
        #expect(current.value.signingKey.id == 1)
        let announced = try #require(current.value.announcedKey)
        store.miss([])
        let key = try await rotation.rotate(at: .noon + 1)
        #expect(key.id == announced.id)
        #expect(current.value.keys.count == 2)
    }

    @Test("a rotation whose announced key another node took away is refused, and the old key signs on")
    func takenAway() async throws {
        store.replaceWhileWaiting(with: current.value)
        await #expect(throws: KeyRingMoved.self) { try await rotation.rotate(at: .noon) }
        #expect(current.value.keys.map(\.id) == [1] && current.value.signingKey.id == 1)
        #expect(store.rings.count == 1, "the announcement alone was written")
    }

    @Test("the next rotation announces another key")
    func twice() async throws {
        let first = try await rotation.rotate(at: .noon)
        let second = try await rotation.rotate(at: .noon + 1)
        #expect(first.id != second.id)
        #expect(current.value.signingKey.id == second.id)
        #expect(store.rings.count == 4)
    }

    @Test("a retirement waits until every node has the ring without the key")
    func retired() async throws {
        _ = try await rotation.rotate(at: .noon)
        #expect(try await rotation.retire(1, force: true, at: .noon + 1) == .none)
        #expect(store.awaited.count == 2)
        #expect(store.awaited.last?[1] == nil && current.value[1] == nil)
        #expect(log.all.isEmpty)
    }

    @Test(
        "a key is retired although a node is away or the nodes cannot be asked, and the caller and the log say so",
        arguments: [
            (false, RetiredKeyHolders.named(["links-2", "links-3"]), "nodes=links-2,links-3 signingKey=1"),
            (true, .unknown, "nodes=? signingKey=1"),
        ])
    func retiredWithoutNodes(isBroken: Bool, holders: RetiredKeyHolders, said: String) async throws {
        _ = try await rotation.rotate(at: .noon)
        if isBroken { store.loseNodes() } else { store.miss(["links-2", "links-3"]) }
        #expect(try await rotation.retire(1, force: true, at: .noon + 1) == holders)
        #expect(current.value[1] == nil)
        let line = try #require(log.all.first)
        #expect(line.hasPrefix("nodes may still open links with a retired signing key ") && line.hasSuffix(said))
        #expect(log.all.count == 1 && line.contains("error=") == isBroken)
    }

    @Test("rotations at the same time are done one after another")
    func together() async throws {
        async let first = rotation.rotate(at: .noon)
        async let second = rotation.rotate(at: .noon + 1)
        let made = [try await first.id, try await second.id]
        #expect(Set(made).count == 2)
        #expect(Set(current.value.keys.map(\.id)) == Set([1] + made) && store.rings.count == 4)
    }
}

@Suite struct KeyRotationTests {
    private let store = RingStore()
    private let log = LogLines()
    private let current: CurrentKeyRing
    private let rotation: KeyRotation

    init() throws {
        current = CurrentKeyRing(try Samples.keyRing())
        rotation = KeyRotation(current: current, store: store, linkLifetimeInDays: 30, logger: log.logger)
    }

    @Test("a new key signs once it is stored")
    func rotate() async throws {
        let key = try await rotation.rotate(at: .noon)
        #expect(current.value.signingKey.id == key.id && key.id != 1)
        #expect(store.keys.contains(key.id) && store.keys.contains(1))
    }

    @Test("when the ring cannot be stored, the old key signs on")
    func broken() async throws {
        store.fail()
        await #expect(throws: Outage.self) { try await rotation.rotate(at: .noon) }
        #expect(current.value.keys.map(\.id) == [1])
    }

    @Test("the key that signs, and one that does not exist, cannot be retired")
    func refusals() async throws {
        await #expect { try await rotation.retire(1, force: true, at: .noon) } throws: { error in
            if case KeyRotation.RetireRefusal.signs = error { true } else { false }
        }
        await #expect { try await rotation.retire(9, force: true, at: .noon) } throws: { error in
            if case KeyRotation.RetireRefusal.unknown = error { true } else { false }
        }
    }

    @Test("a key whose links may be followed is retired only by force, and by itself once they have ended")
    func alive() async throws {
        _ = try await rotation.rotate(at: .noon)
        let end = try #require(await rotation.list().first { $0.key.id == 1 }?.linksAliveUntil)
        #expect(end > .noon)
        await #expect { try await rotation.retire(1, force: false, at: .noon) } throws: { error in
            if case KeyRotation.RetireRefusal.alive(let until) = error { until == end } else { false }
        }
        #expect(current.value[1] != nil)
        _ = try await rotation.retire(1, force: false, at: end)
        #expect(current.value[1] == nil && !store.keys.contains(1))
    }

    @Test("a key is retired by the earliest that it may be, and only by force while the clock is not trusted")
    func clock() async throws {
        let earliest = Mutex<Timestamp?>(.noon)
        let rotation = KeyRotation(
            current: current, store: store, linkLifetimeInDays: 30, logger: log.logger,
            earliest: { _ in earliest.withLock { $0 } })
        _ = try await rotation.rotate(at: .noon)
        let end = try #require(await rotation.list().first { $0.key.id == 1 }?.linksAliveUntil)
        await #expect { try await rotation.retire(1, force: false, at: end) } throws: { error in
            if case KeyRotation.RetireRefusal.alive = error { true } else { false }
        }
        earliest.withLock { $0 = nil }
        await #expect { try await rotation.retire(1, force: false, at: end) } throws: { error in
            if case KeyRotation.RetireRefusal.clockNotTrusted = error { true } else { false }
        }
        #expect(current.value[1] != nil)
        _ = try await rotation.retire(1, force: true, at: .noon)
        #expect(current.value[1] == nil)
    }

    @Test("a key that signed links of a longer lifetime is not retired before they end")
    func shorterLifetime() async throws {
        let before = KeyRotation(current: current, store: store, linkLifetimeInDays: 180, logger: log.logger)
        _ = try await before.rotate(at: .noon)
        let end = try #require(await before.list().first { $0.key.id == 1 }?.linksAliveUntil)
        #expect(end > .noon.advanced(byMilliseconds: 179 * 86_400_000))
        #expect(await rotation.list().first { $0.key.id == 1 }?.linksAliveUntil == end)
        // And where the lifetime was made shorter before the key had signed its last link.
        _ = try await rotation.rotate(at: .noon)
        let second = try #require(await rotation.list().first { $0.key.id == 2 })
        #expect(second.key.maximumLifetimeInDays == 180 && second.linksAliveUntil == end)
        _ = try await rotation.rotate(at: .noon)
        #expect(await rotation.list().first { $0.key.id == 3 }?.key.maximumLifetimeInDays == 30)
    }

    @Test("a key whose retirement cannot be stored is still there, for the ring that is stored has it")
    func brokenRetirement() async throws {
        _ = try await rotation.rotate(at: .noon)
        store.fail()
        await #expect(throws: Outage.self) { try await rotation.retire(1, force: true, at: .noon) }
        #expect(current.value[1] != nil && store.keys.contains(1))
    }

    @Test("a full ring rotates no further, and signs on with the key it has")
    func full() async throws {
        var count = 1
        while (try? await rotation.rotate(at: .noon)) != nil { count += 1 }
        #expect(count == 256 && store.keys.count == 256 && Set(store.keys).count == 256)
        let signing = current.value.signingKey.id
        await #expect(throws: TrackingIDError.noKeyIDFree) { try await rotation.rotate(at: .noon) }
        #expect(current.value.signingKey.id == signing)
        let listed = await rotation.list()
        #expect(listed.filter { $0.linksAliveUntil == nil }.map(\.key.id) == [signing])
    }

    @Test("changes at the same time are done one after another: no key is lost, none comes back, each has its own id")
    func together() async throws {
        let old = try await rotation.rotate(at: .noon).id
        _ = try await rotation.rotate(at: .noon + 1)
        async let first = rotation.rotate(at: .noon + 2)
        async let retirement = rotation.retire(old, force: true, at: .noon + 2)
        async let second = rotation.rotate(at: .noon + 2)
        let made = [try await first.id, try await second.id]
        _ = try await retirement
        #expect(Set(made).count == 2 && current.value.keys.count == 4)
        #expect(made.allSatisfy { current.value[$0] != nil })
        #expect(store.keys == current.value.keys.map(\.id))
    }

    @Test("a change that failed does not prevent the next one")
    func failedBefore() async throws {
        await #expect(throws: KeyRotation.RetireRefusal.self) {
            try await rotation.retire(9, force: true, at: .noon)
        }
        #expect(try await rotation.rotate(at: .noon).id != 1)
    }

    @Test("force retires a key whose links may be followed")
    func force() async throws {
        _ = try await rotation.rotate(at: .noon)
        _ = try await rotation.retire(1, force: true, at: .noon)
        #expect(current.value[1] == nil && !store.keys.contains(1))
    }
}
