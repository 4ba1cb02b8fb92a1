import Identifiers
import Organizations
import TestSupport
import Testing

@Suite struct ConsoleSessionTests {
    private static let minute: Int64 = 60_000

    private func session(used: Int64 = 0, confirmed: Int64 = 0, made: Int64 = 0) -> ConsoleSession {
        ConsoleSession(
            digest: SessionDigest(bytes: [1]),
            account: ConsoleAccount(name: "a", origin: .provider, grants: []), madeAt: .noon + made * Self.minute,
            usedAt: .noon + used * Self.minute, confirmedAt: .noon + confirmed * Self.minute)
    }

    @Test("a session ends half an hour after its last use and twelve hours after its beginning")
    func ends() {
        for (minutes, isLive) in [(0, true), (29, true), (30, false), (-1, true)] as [(Int64, Bool)] {
            #expect(session().isLive(at: .noon + minutes * Self.minute) == isLive, "\(minutes)")
        }
        #expect(!session(used: 12 * 60 - 1).isLive(at: .noon + 12 * 60 * Self.minute))
    }

    @Test("times in the future end a session, and confirm nothing")
    func future() {
        #expect(session(used: 1, confirmed: 1, made: 1).isLive(at: .noon))
        #expect(!session(used: 2).isLive(at: .noon))
        #expect(!session(used: 2, made: 2).isLive(at: .noon))
        #expect(session(confirmed: 1).isConfirmed(at: .noon))
        #expect(!session(confirmed: 2).isConfirmed(at: .noon))
    }
}
