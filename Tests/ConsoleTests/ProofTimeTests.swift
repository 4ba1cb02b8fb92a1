import Identifiers
import OpenIDConnect
import TestSupport
import Testing

@testable import Console

/// When a user proved at the provider who they are, in the times of the service.
@Suite struct ProofTimeTests {
    private static let noon = Timestamp.noon.millisecondsSince1970 / 1000

    @Test(
        "a proof is as old as the wall clock says, however far service time is ahead",
        arguments: [(0, 0), (3600, 0), (0, 240), (3600, 240), (86_400, 86_400)] as [(Int64, Int64)])
    func age(_ lead: Int64, _ age: Int64) {
        let now = Timestamp.noon + lead * 1000
        let time = ProofTime.serviceTime(of: UnixTime(seconds: Self.noon - age), wall: .noon, now: now)
        #expect(time == now - .seconds(age))
    }

    @Test("a proof that the provider's clock, which is ahead, dates to the future is one of now")
    func future() {
        let time = ProofTime.serviceTime(of: UnixTime(seconds: Self.noon + 30), wall: .noon, now: .noon + 5000)
        #expect(time == .noon + 5000)
    }

    @Test("a time that no clock shows proves nothing")
    func overflow() {
        #expect(ProofTime.serviceTime(of: UnixTime(seconds: .max), wall: .noon, now: .noon) == .distantPast)
        #expect(ProofTime.serviceTime(of: UnixTime(seconds: 0), wall: .noon, now: .noon) < .noon - .seconds(86_400))
    }
}
