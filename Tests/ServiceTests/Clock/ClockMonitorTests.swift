import Consent
import Counting
import Identifiers
import Logging
import Synchronization
import Testing
import UseCases

@testable import Service

/// What operators are told of the system's clock.
@Suite struct ClockMonitorTests {
    private let script = ScriptedClock()
    private let log = CapturedLog()
    private static let start = Timestamp(millisecondsSince1970: ScriptedClock.noon / 1_000_000)

    private func monitor() -> ClockMonitor { ClockMonitor(ServiceClock(source: script.source), logger: log.logger) }

    private func values(_ monitor: ClockMonitor) -> [String] {
        PrometheusText(monitor.metrics).text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
    }

    @Test(
        "a start with the clock a second behind what is stored is told; with less it is not",
        arguments: [
            (Int64(0), false), (999, false), (1001, true), (3_600_000, true),
        ])
    func begin(_ behind: Int64, _ isTold: Bool) {
        let monitor = monitor()
        monitor.begin(notBefore: Self.start.advanced(byMilliseconds: behind))
        #expect(log.levels == (isTold ? [.error] : []))
        #expect(values(monitor).contains("consentlink_clock_steps_total{direction=\"back\"} \(isTold ? 1 : 0)"))
    }

    @Test("each step is told once and counted by its direction, with its size and the lead it leaves")
    func steps() {
        let monitor = monitor()
        monitor.observe()
        #expect(log.lines == [])
        script.move(by: ScriptedClock.second, step: 10 * ScriptedClock.second)
        for _ in 1...3 { monitor.observe() }
        script.move(by: ScriptedClock.second, step: -4 * ScriptedClock.second)
        for _ in 1...3 { monitor.observe() }
        #expect(log.levels == [.warning, .error])
        #expect(log.lines.map { $0.metadata["milliseconds"] } == ["10000", "4000"])
        #expect(log.lines.first?.metadata["lead_milliseconds"] == "0")
        #expect(log.lines.last?.metadata["lead_milliseconds"]?.hasPrefix("3999") == true)
        let values = values(monitor)
        #expect(values.contains("consentlink_clock_steps_total{direction=\"ahead\"} 1"))
        #expect(values.contains("consentlink_clock_steps_total{direction=\"back\"} 1"))
        #expect(values.contains { $0.hasPrefix("consentlink_clock_lead_seconds 3.999") })
    }

    @Test("a clock that stands still is no step; time goes on, and after a while the service is not ready")
    func frozen() {
        let monitor = monitor()
        let half = ScriptedClock.second / 2
        var last = monitor.clock.now()
        for _ in 0..<200 {
            script.move(by: half, step: -half)
            monitor.observe()
            let now = monitor.clock.now()
            #expect(now > last, "it does not stand still")
            last = now
        }
        #expect(monitor.reasonNotReady == nil, "100 s at half pace")
        for _ in 0..<50 {
            script.move(by: half, step: -half)
            monitor.observe()
        }
        #expect(log.lines == [])
        #expect(
            monitor.reasonNotReady?.description
                == "the system's clock is 62 s behind service time; set it")
    }

    @Test("a machine that was suspended for a day has made no step")
    func suspended() {
        let monitor = monitor()
        script.move(by: 86_400 * ScriptedClock.second)
        monitor.observe()
        #expect(log.lines == [] && monitor.reasonNotReady == nil)
        #expect(monitor.clock.now() >= Self.start.advanced(byMilliseconds: 86_400_000))
    }

    /// Clocks whose first readings after ``tear(_:)`` are interrupted for two seconds, between the wall clock's half and
    /// the other.
    private final class TornClock: Sendable {
        private let state = Mutex((elapsed: Int64(0), torn: 0))

        func tear(_ count: Int) { state.withLock { $0.torn = count } }

        var source: @Sendable () -> ClockReading {
            { [self] in
                state.withLock { state in
                    state.elapsed += 1000
                    let wall = ScriptedClock.noon + state.elapsed
                    if state.torn > 0 {
                        state.torn -= 1
                        state.elapsed += 2 * ScriptedClock.second
                    }
                    return ClockReading(wall: wall, monotonic: state.elapsed)
                }
            }
        }
    }

    @Test("a reading that was interrupted is no step: it is read again", arguments: [1, 2, 3, 8, 15])
    func interrupted(_ count: Int) {
        let torn = TornClock()
        let monitor = ClockMonitor(ServiceClock(source: torn.source), logger: log.logger)
        let before = monitor.clock.now()
        torn.tear(count)
        monitor.observe()
        torn.tear(count)
        #expect(monitor.clock.lead == .zero)
        #expect(monitor.clock.recordingTime.faults.isEmpty)
        #expect(monitor.clock.now() >= before)
        #expect(log.lines == [])
    }

    @Test("a clock on a machine too busy to read it never goes back all the same")
    func busy() {
        let torn = TornClock()
        let clock = ServiceClock(source: torn.source)
        torn.tear(.max)
        var last = clock.now()
        for _ in 0..<100 {
            _ = clock.observe()
            let now = clock.now()
            #expect(now >= last)
            last = now
        }
    }

    @Test("the system's own clocks go forward and agree with each other")
    func system() {
        let (one, other) = (ClockReading.system(), ClockReading.system())
        #expect(other.monotonic >= one.monotonic && one.wall > ScriptedClock.noon / 2)
        #expect(ServiceClock().lead == .zero)
    }
}
