import StubService
import Testing

@testable import Relay

@Suite struct CurrentDeliveryTests {
    @Test("a delivery that was rendered anew is not sent if the machine was suspended since the service was asked")
    func suspended() async throws {
        try await StubServer.with({ _, _ in
            .json(RelayFixture.delivery("AAAA", of: "one", to: "https://crm.example/hooks"))
        }) { service in
            let calls = try RelayFixture(service).calls
            let lease = RelayedLease(token: "AAAA", endpoint: "one", end: .now + .seconds(60))
            let renewed = try await CurrentDelivery(calls: calls, now: { .now }).renewed(lease)
            #expect(renewed.lease.token == "AAAA")
            await #expect(throws: SendingResult.Reason.notRenewed) {
                _ = try await CurrentDelivery(calls: calls, now: { .now + .seconds(6) }).renewed(lease)
            }
        }
    }
}
