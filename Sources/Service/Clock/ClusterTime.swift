import Identifiers
import Redirect
import SQLStorage
import Synchronization

/// The time that nodes of one storage share: the server's time, continued by this machine's monotonic clock.
///
/// A process begins with the time that the one before it noted. Without such a note, the machine's wall clock is read
/// until the server has told its time. So a step of the wall clock is no step of the service, and nodes with different
/// clocks agree to within the round trip of a query. While the server cannot be reached, the monotonic clock continues
/// alone; it errs by at most 100 ppm, a tenth of a second in a quarter hour.
///
/// It stands still while a hypervisor pauses the machine. The next answer of the server shows that: see ``gaps``.
final class ClusterTime: Sendable {
    /// How far the times of two nodes may differ, even after forty minutes without the server.
    static let uncertainty = Duration.milliseconds(250)
    /// A slow answer says little about the time.
    private static let greatestRoundTrip = Duration.milliseconds(100)
    /// An answer that took longer does not show that the clock was right.
    private static let precision = Duration.milliseconds(25)
    /// How often the drain asks for a precise answer.
    private static let attempts = 4
    /// In nanoseconds: a smaller difference is no change of the server's clock.
    private static let tolerance: Int64 = 2_000_000
    /// In nanoseconds: a clock that may be behind by more has a gap. The fence waits longer than a node is fresh by as
    /// much.
    private static let leastGap: Int64 = 50_000_000
    /// Of more gaps, the oldest are joined.
    private static let mostGaps = 32

    private static let unknown = Int64.min

    private struct State {
        /// Up to this time of the service, the clock was right or has a gap; `nil` if the server has told no time.
        var checkedTo: Timestamp?
        /// Whether the server has told this process its time.
        var isOwn = false
        var gaps: [ClockGap] = []
        /// The last answer, if it was too slow to show whether the clock is right: when it was asked for, and by how much
        /// the clock may be behind.
        var vague: (askedAt: Timestamp, behind: Int64)?

        /// Notes what is known about the time since `checkedTo`.
        /// - Parameter behind: by how much the clock was behind at most, in nanoseconds.
        mutating func check(to askedAt: Timestamp, behind: Int64, now: Timestamp) {
            defer { (checkedTo, vague) = (askedAt, nil) }
            if behind > ClusterTime.leastGap, let start = checkedTo {
                gaps.append(ClockGap(from: start, through: now, size: .nanoseconds(behind)))
                guard gaps.count > ClusterTime.mostGaps else { return }
                let second = gaps.remove(at: 1)
                gaps[0] = gaps[0].joined(with: second)
            }
        }
    }

    /// Server time less monotonic time, in nanoseconds.
    private let offset: Atomic<Int64>
    /// Guards what is not needed to read the time. Held while an answer is noted.
    private let state: Mutex<State>
    private let system: @Sendable () -> ClockReading

    /// - Parameter noted: by an earlier process, on the same start of the machine.
    init(noted: TimeNote? = nil, system: @escaping @Sendable () -> ClockReading = ClockReading.system) {
        offset = Atomic(noted?.offset ?? Self.unknown)
        state = Mutex(State(checkedTo: noted?.heardAt, gaps: noted?.gaps ?? []))
        self.system = system
    }

    /// Whether ``reading()`` gives the server's time, and not the machine's.
    var isKnown: Bool { offset.load(ordering: .relaxed) != Self.unknown }

    /// The periods in which the clock may have been behind the server's by more than 50 ms, as far as the server's
    /// answers have shown.
    var gaps: [ClockGap] { state.withLock { $0.gaps } }

    /// For the next process; `nil` if the server has not told this one its time.
    var note: TimeNote? {
        state.withLock { state in
            guard state.isOwn, let heardAt = state.checkedTo else { return nil }
            return TimeNote(offset: offset.load(ordering: .relaxed), heardAt: heardAt, gaps: state.gaps)
        }
    }

    /// The reading for ``ServiceClock``.
    func reading() -> ClockReading {
        let reading = system()
        let offset = offset.load(ordering: .relaxed)
        guard offset != Self.unknown else { return reading }
        return ClockReading(wall: reading.monotonic &+ offset, monotonic: reading.monotonic)
    }

    /// Notes what the database has just told. `clock` reads this time; `known` is what clicks ask.
    func note(_ told: ToldTime, _ clock: ServiceClock, _ known: KnownUntil) {
        switch told {
        case .server(let nanoseconds, let askedAt):
            let (now, monotonic) = (clock.now(), system().monotonic)
            // Read last: if this thread is held up, the round trip is too long, and the time of the question too early.
            // That time is in whole milliseconds.
            let roundTrip = ContinuousClock.now - askedAt
            let sentAt = now - (roundTrip + .milliseconds(1))
            state.withLock { note(nanoseconds, at: monotonic, roundTrip, askedAt: sentAt, clock, &$0) }
        case .written(let latest): clock.follow(latest)
        case .rulesKnown(let end): known.extend(to: end)
        }
    }

    /// - Parameters:
    ///   - monotonic: when the answer was there.
    ///   - askedAt: when the question was sent, in the service's time.
    private func note(
        _ nanoseconds: Int64, at monotonic: Int64, _ roundTrip: Duration, askedAt: Timestamp, _ clock: ServiceClock,
        _ state: inout State
    ) {
        let known = offset.load(ordering: .relaxed)
        follow(nanoseconds, at: monotonic, roundTrip: roundTrip)
        state.isOwn = true
        guard known != Self.unknown else { return state.checkedTo = askedAt }
        // The server read its clock after it was asked, and before the answer was there.
        let least = nanoseconds &- monotonic &- known
        let behind = least &+ ClockReading.nanoseconds(roundTrip)
        guard roundTrip <= Self.precision || least > Self.tolerance else { return state.vague = (askedAt, behind) }
        // The clock shows the new time already, so nothing with the old one is later.
        state.check(to: askedAt, behind: behind, now: clock.now())
    }

    /// Makes ``gaps`` complete until now.
    /// - Parameter ask: asks the server for its time.
    func check(_ clock: ServiceClock, ask: () async throws -> Void) async throws {
        for _ in 0..<Self.attempts {
            try await ask()
            guard state.withLock({ $0.vague != nil }) else { return }
        }
        state.withLock { state in
            guard let vague = state.vague else { return }
            state.check(to: vague.askedAt, behind: vague.behind, now: clock.now())
        }
    }

    /// Follows a time that the server has just told.
    /// - Parameters:
    ///   - nanoseconds: the server's time since 1970.
    ///   - monotonic: when the answer was there.
    ///   - roundTrip: from the question to the answer.
    func follow(_ nanoseconds: Int64, at monotonic: Int64, roundTrip: Duration) {
        let known = offset.load(ordering: .relaxed)
        guard roundTrip <= Self.greatestRoundTrip || known == Self.unknown else { return }
        let half = ClockReading.nanoseconds(roundTrip) / 2
        let told = nanoseconds &+ half &- monotonic
        // A smaller difference from the last answer is within the possible error of one answer.
        guard known == Self.unknown || abs(told &- known) > Self.tolerance + half else { return }
        offset.store(told, ordering: .relaxed)
    }
}
