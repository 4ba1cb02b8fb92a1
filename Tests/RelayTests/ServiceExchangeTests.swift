import Testing

@testable import Relay

/// Since when a relay counts its leases.
@Suite struct ServiceExchangeTests {
    private let sent = ContinuousClock.now

    private func leaseBegin(waited: Duration?) -> Duration {
        let exchange = ServiceExchange(sent: sent, answered: sent + .seconds(12))
        return exchange.leaseBegin(waited: waited) - sent
    }

    @Test("a lease begins with the request and what it waited at the service, not when the answer is read")
    func begin() {
        #expect(leaseBegin(waited: .zero) == .zero)
        #expect(leaseBegin(waited: .seconds(11)) == .seconds(11))
    }

    @Test("a wait that cannot be is held to the exchange, and without one the answer is the beginning")
    func bounds() {
        #expect(leaseBegin(waited: .seconds(-3)) == .zero)
        #expect(leaseBegin(waited: .seconds(400)) == .seconds(12))
        #expect(leaseBegin(waited: nil) == .seconds(12))
    }
}
