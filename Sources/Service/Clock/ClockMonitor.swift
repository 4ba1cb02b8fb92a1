import Counting
import Identifiers
import Logging
import ServiceLifecycle
import UseCases

/// Compares the wall clock with the monotonic one, and reports every step to operators.
struct ClockMonitor: Service, MetricSource {
    private static let interval = Duration.seconds(1)
    /// With a greater lead the service is not ready. A step back by this much is no correction by NTP, which steps by
    /// seconds at most while it runs; a lead of a minute is gone after two minutes.
    static let maximumLead = Duration.seconds(60)

    let clock: ServiceClock
    let logger: Logger
    private let steps = CaseCounters<ClockStep.Direction>()

    init(_ clock: ServiceClock, logger: Logger) {
        self.clock = clock
        self.logger = logger
    }

    /// Sets the clock to continue from the latest time in the store.
    func begin(notBefore floor: Timestamp) {
        let behind = clock.begin(notBefore: floor)
        guard behind >= ClockWatch.minimumStep else { return }
        log(of: ClockStep(direction: .back, size: behind))
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            while (try? await Task.sleep(for: Self.interval)) != nil { observe() }
        }
    }

    func observe() {
        if let step = clock.observe() { log(of: step) }
    }

    /// Why the service is not ready.
    var reasonNotReady: ReadinessReason? {
        let lead = clock.lead
        guard lead > Self.maximumLead else { return nil }
        return .clockBehind(seconds: lead.components.seconds)
    }

    var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_clock_steps_total",
                "Steps of the system's clock by a second or more, and starts at which it was behind stored times.",
                steps.counts.map { ([.init("direction", "\($0)")], $1) }),
            .gauge(
                "consentlink_clock_lead_seconds",
                "Seconds by which service time leads the system's clock; 0 unless the clock went back.",
                clock.lead / .seconds(1)),
        ]
    }

    private func log(of step: ClockStep) {
        steps.add(1, step.direction)
        let details: Logger.Metadata = [
            "milliseconds": "\(step.size.wholeMilliseconds)", "lead_milliseconds": "\(clock.lead.wholeMilliseconds)",
        ]
        switch step.direction {
        case .back:
            logger.error(
                "the system's clock went back; consent is judged at service time, which does not go back",
                metadata: details)
        case .ahead:
            logger.warning("the system's clock went ahead; consent is judged at that time", metadata: details)
        }
    }
}
