import Counting
import Identifiers
import Synchronization
import Testing

@testable import Service

/// A clock that stands where a test puts it.
private final class StandingClock: Sendable {
    private let instant = Mutex(Timestamp(secondsSince1970: 0))

    func stand(at seconds: Int64) { instant.withLock { $0 = Timestamp(secondsSince1970: seconds) } }
    var now: Timestamp { instant.withLock { $0 } }
}

@Suite struct RetentionLagTests {
    private let acme: OrganizationID
    private let globex: OrganizationID
    private let clock = StandingClock()

    init() throws {
        acme = try OrganizationID("acme")
        globex = try OrganizationID("globex")
    }

    private func value(_ lag: RetentionLag) -> String {
        let text = PrometheusText(lag.metrics).text
        return String(text.split(separator: "\n").last?.split(separator: " ").last ?? "")
    }

    @Test("the lag is that of the organization that is latest, and grows while nobody forgets")
    func grows() {
        let lag = RetentionLag { [clock] in clock.now }
        #expect(value(lag) == "0")
        lag.set(acme, nextDue: Timestamp(secondsSince1970: 100))
        lag.set(globex, nextDue: Timestamp(secondsSince1970: 130))
        #expect(value(lag) == "0")
        clock.stand(at: 150)
        #expect(value(lag) == "50")
        clock.stand(at: 200)
        #expect(value(lag) == "100")
        lag.set(acme, nextDue: Timestamp(secondsSince1970: 500))
        #expect(value(lag) == "70")
        lag.set(globex, nextDue: nil)
        #expect(value(lag) == "0")
    }
}
