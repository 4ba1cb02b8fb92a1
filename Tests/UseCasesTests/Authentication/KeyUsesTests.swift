import Identifiers
import Organizations
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Keeps what is written of uses; throws while it is away.
private final class UseStore: APIKeyStore {
    struct Away: Error {}

    let isAway = Mutex(false)
    let written = Mutex<[[APIKeyID: Timestamp]]>([])

    func key(with _: APIKeyDigest) async throws -> APIKey? { nil }
    func keys(of _: OrganizationID) async throws -> [APIKey] { [] }
    func keys(of _: OrganizationID, after _: APIKeyID?, limit _: Int) async throws -> [APIKey] { [] }
    func addKey(
        _: NewAPIKey, to _: OrganizationID, by _: APIKeyID?, at _: Timestamp
    ) async throws -> APIKey? { nil }
    func removeKey(_: APIKeyID, of _: OrganizationID) async throws -> Bool { false }
    func noteUses(_ uses: [APIKeyID: Timestamp]) async throws {
        if isAway.withLock({ $0 }) { throw Away() }
        written.withLock { $0.append(uses) }
    }

    var all: [[APIKeyID: Timestamp]] { written.withLock { $0 } }
}

@Suite struct KeyUsesTests {
    private final class Moment: Sendable {
        let time = Mutex(Timestamp.noon)
        var now: Timestamp { time.withLock { $0 } }
        func advance(_ milliseconds: Int64) { time.withLock { $0 = $0 + milliseconds } }
    }

    private let store = UseStore()
    private let moment = Moment()

    private func uses(takesWrites: Bool = true) -> KeyUses {
        KeyUses(store, takesWrites: { takesWrites }, now: { [moment] in moment.now })
    }

    private func key(lastUsedAt: Timestamp? = nil) throws -> APIKey {
        let key = try Samples.apiKey()
        return APIKey(
            id: key.id, organization: key.organization, name: key.name, scopes: key.scopes, lastUsedAt: lastUsedAt)
    }

    @Test("the last use of a key is written once, and nothing where nothing was used")
    func once() async throws {
        let (uses, key) = (self.uses(), try self.key())
        await uses.write()
        uses.note(key)
        moment.advance(5)
        uses.note(key)
        await uses.write()
        await uses.write()
        #expect(store.all == [[key.id: Timestamp.noon + 5]])
    }

    @Test(
        "a use is written where the recorded one is ten minutes old",
        arguments: [(599_999, 0), (600_000, 1)] as [(Int64, Int)])
    func precision(_ age: Int64, _ writes: Int) async throws {
        let uses = self.uses()
        uses.note(try key(lastUsedAt: Timestamp.noon + -age))
        await uses.write()
        #expect(store.all.count == writes)
    }

    @Test(
        "a recorded use that is more than a minute ahead of the clock is replaced",
        arguments: [(60_000, 0), (60_001, 1), (86_400_000, 1)] as [(Int64, Int)])
    func ahead(_ lead: Int64, _ writes: Int) async throws {
        let (uses, key) = (self.uses(), try self.key(lastUsedAt: Timestamp.noon + lead))
        uses.note(key)
        await uses.write()
        #expect(store.all == Array(repeating: [key.id: Timestamp.noon], count: writes))
    }

    @Test("what could not be written is kept, and a later use outranks it")
    func away() async throws {
        let (uses, key) = (self.uses(), try self.key())
        uses.note(key)
        store.isAway.withLock { $0 = true }
        await uses.write()
        moment.advance(7)
        uses.note(key)
        store.isAway.withLock { $0 = false }
        await uses.write()
        #expect(store.all == [[key.id: Timestamp.noon + 7]])
    }

    @Test("a store that takes no writes is not asked")
    func readOnly() async throws {
        let uses = self.uses(takesWrites: false)
        uses.note(try key())
        await uses.write()
        #expect(store.all.isEmpty)
    }
}
