import Consent
import Identifiers
import Logging
import Synchronization
import TestSupport
import Testing
import UseCases

@testable import Service

/// The latest time that any thread was told.
private final class Latest: Sendable {
    let time = Mutex(Timestamp.distantPast)
}

@Suite struct ServiceClockTests {
    private let script = ScriptedClock()
    private static let hour = 3600 * ScriptedClock.second

    @Test("it tells the wall clock's time, follows it ahead and never goes back with it")
    func steps() {
        let clock = ServiceClock(source: script.source)
        let start = clock.now()
        #expect(start == Timestamp(millisecondsSince1970: ScriptedClock.noon / 1_000_000))
        script.move(step: Self.hour)
        #expect(clock.now() == start.advanced(byMilliseconds: 3_600_000))
        script.move(step: -Self.hour)
        let behind = clock.now()
        #expect(behind >= start.advanced(byMilliseconds: 3_600_000))
        script.move(by: ScriptedClock.second)
        #expect(clock.now() >= behind.advanced(byMilliseconds: 1000), "it does not stand still")
        #expect((.seconds(3599)...Duration.seconds(3600)).contains(clock.lead))
        #expect(clock.earliest < start.advanced(byMilliseconds: 2000))
        #expect(clock.wall == start.advanced(byMilliseconds: 1000), "deliveries are signed at the right time")
    }

    @Test("a lead is worked off, and then it keeps the wall clock's pace again")
    func lead() {
        let clock = ServiceClock(source: script.source)
        script.move(step: -Self.hour)
        #expect(clock.observe()?.direction == .back)
        script.move(by: Self.hour)
        #expect(clock.observe() == nil)
        #expect((.seconds(1799)...Duration.seconds(1800)).contains(clock.lead))
        script.move(by: Self.hour + ScriptedClock.second)
        #expect(clock.observe() == nil)
        #expect(clock.lead == .zero)
        #expect(!clock.recordingTime.faults.isEmpty, "a no of that time may still be reported")
        #expect(clock.recordingTime.faults.lead(at: clock.now().advanced(byMilliseconds: 1000)) == nil)
    }

    @Test("a start with the wall clock behind goes on from the latest time in the store")
    func start() {
        let clock = ServiceClock(source: script.source)
        let floor = Timestamp(millisecondsSince1970: ScriptedClock.noon / 1_000_000 + 3_600_000)
        #expect((.seconds(3599)...Duration.seconds(3600)).contains(clock.begin(notBefore: floor)))
        #expect(clock.now() >= floor)
        #expect(!clock.recordingTime.faults.isEmpty)
        #expect(ServiceClock(source: script.source).begin(notBefore: .distantPast) == .zero)
    }

    @Test("what another node wrote is never in its future, and a time that no clock shows is not followed")
    func follow() {
        let clock = ServiceClock(source: script.source)
        let written = clock.now().advanced(byMilliseconds: 3_600_000)
        clock.follow(written)
        #expect(clock.now() == written)
        #expect((.seconds(3599)...Duration.seconds(3600)).contains(clock.lead))
        #expect(clock.observe() == nil, "the wall clock did not step")
        clock.follow(written.advanced(byMilliseconds: -1000))
        script.move(by: Self.hour)
        #expect(clock.now() == written.advanced(byMilliseconds: 1_800_000), "it goes on at half pace")
        clock.follow(Timestamp(millisecondsSince1970: ServiceTime.end / 1_000_000))
        #expect(clock.now() == written.advanced(byMilliseconds: 1_800_000))
    }

    @Test("there is a fault as soon as the wall clock has gone back, noticed or not")
    func fault() throws {
        let clock = ServiceClock(source: script.source)
        #expect(clock.recordingTime.faults.isEmpty)
        script.move(step: -Self.hour)
        let fault = try #require(clock.recordingTime.faults.all.first)
        #expect((.seconds(3599)...Duration.milliseconds(3_600_001)).contains(fault.lead))
        #expect(fault.since <= clock.earliest.advanced(byMilliseconds: -3_599_000))
    }

    @Test("of many threads none sees time go back while the wall clock steps")
    func threads() async {
        let clock = ServiceClock(source: script.source)
        let latest = Latest()
        let backwards = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    (0..<20_000).reduce(0) { count, _ in
                        let before = latest.time.withLock { $0 }
                        let now = clock.now()
                        latest.time.withLock { $0 = max($0, now) }
                        return count + (now < before ? 1 : 0)
                    }
                }
            }
            group.addTask { [script] in
                for round in 0..<2000 {
                    script.move(by: 1_000_000, step: round.isMultiple(of: 2) ? Self.hour : -2 * Self.hour)
                    _ = clock.observe()
                }
                return 0
            }
            return await group.reduce(0, +)
        }
        #expect(backwards == 0)
    }

    @Test("the service is ready with a small lead, and not with one of more than a minute")
    func readiness() {
        let monitor = ClockMonitor(ServiceClock(source: script.source), logger: Logger(label: "test"))
        script.move(step: -59 * ScriptedClock.second)
        #expect(monitor.reasonNotReady == nil)
        script.move(step: -2 * ScriptedClock.second)
        #expect(monitor.reasonNotReady?.description.contains("61 s behind") == true)
    }
}
