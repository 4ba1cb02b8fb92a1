import Identifiers
import Testing

@testable import UseCases

@Suite struct SigningLagTests {
    private let acme: OrganizationID
    private let globex: OrganizationID
    private let start = ContinuousClock.now

    init() throws {
        acme = try OrganizationID("acme")
        globex = try OrganizationID("globex")
    }

    @Test("a ledger waits from its first unsigned entry until a checkpoint covers it")
    func waits() {
        var lag = SigningLag()
        #expect(lag.longest(at: start) == .zero)
        lag.begin(acme, at: start)
        lag.begin(acme, at: start + .seconds(5))
        lag.begin(globex, at: start + .seconds(2))
        #expect(lag.longest(at: start + .seconds(7)) == .seconds(7))
        lag.end(acme)
        #expect(lag.longest(at: start + .seconds(7)) == .seconds(5))
        lag.end(globex)
        #expect(lag.longest(at: start + .seconds(7)) == .zero)
    }
}
