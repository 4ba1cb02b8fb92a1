import Identifiers
import TestSupport
import Testing
import Webhooks

/// Which of two processes of a relay began later.
@Suite struct RelayIdentityTests {
    private static let relay = "relay-of-the-tests"

    private func process(
        at begin: Timestamp, _ random: String = "a", of relay: String = relay
    ) throws -> RelayIdentity {
        try #require(RelayIdentity(relay: relay, begunAt: begin, random: random))
    }

    private func process(named name: String) throws -> RelayIdentity {
        try #require(RelayIdentity(relay: Self.relay, process: name))
    }

    @Test("a process that began later is the later one, and never the other way round")
    func order() throws {
        let begins: [Timestamp] = [
            Timestamp(millisecondsSince1970: -1), Timestamp(millisecondsSince1970: 9), .noon, .noon + 1,
            Timestamp(millisecondsSince1970: 999_999_999_999_999),
        ]
        let processes = try begins.map { try process(at: $0) }
        for (place, one) in processes.enumerated() {
            for (otherPlace, other) in processes.enumerated() {
                #expect(one.isEarlier(than: other) == (place < otherPlace))
            }
        }
    }

    @Test("of two that began in the same millisecond one is the later one")
    func sameTime() throws {
        let (one, other) = (try process(at: .noon, "a"), try process(at: .noon, "b"))
        #expect(one.isEarlier(than: other) && !other.isEarlier(than: one))
    }

    @Test("processes of different relays are not compared")
    func otherRelay() throws {
        let one = try process(at: .noon)
        #expect(try !one.isEarlier(than: process(at: .noon + 1, of: "another-relay-000")))
    }

    @Test(
        "a name without a time is earlier than each with one, and no later one than its like",
        arguments: ["process-00000000", "0123456789abcdef-", "000000000000000_abc", "_9sLzD0aQW-xM1vK3hRt5YcN"])
    func withoutTime(_ name: String) throws {
        let (old, new) = (try process(named: name), try process(at: Timestamp(millisecondsSince1970: 0)))
        #expect(old.isEarlier(than: new) && !new.isEarlier(than: old))
        let other = try process(named: "zzzzzzzzzzzzzzzzzzzzzzzz")
        #expect(!old.isEarlier(than: other) && !other.isEarlier(than: old))
    }

    @Test("a process has 15 digits of its beginning as its name, and what is random")
    func name() throws {
        let begin = Timestamp(millisecondsSince1970: 1_795_348_800_123)
        #expect(try process(at: begin, "xY_-").process == "001795348800123-xY_-")
        #expect(RelayIdentity(relay: Self.relay, begunAt: .distantFuture, random: "a") == nil)
        #expect(RelayIdentity(relay: Self.relay, begunAt: .noon, random: "ä") == nil)
    }
}
