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
/// It stands still while a hypervisor pauses the machine, and the server's clock may step. The next answer of the
/// server shows that, and what other nodes wrote shows that their clocks lead: see ``gaps``.
final class ClusterTime: Sendable {
    /// How far the times of two nodes may differ, even after forty minutes without the server.
    static let uncertainty = Duration.milliseconds(250)
    /// A slow answer says little about the time.
    private static let maximumRoundTrip = Duration.milliseconds(100)
    /// An answer that took longer does not show that the clock was right.
    private static let precision = Duration.milliseconds(25)
    /// How often the drain asks for a precise answer.
    private static let attempts = 4
    /// In nanoseconds: a smaller difference is no change of the server's clock.
    private static let tolerance: Int64 = 2_000_000
    /// In nanoseconds: a clock that may be wrong by more has a gap. The fence waits longer than a node is fresh by as
    /// much.
    private static let minimumGap: Int64 = 50_000_000
    /// If there are more gaps, the oldest are joined.
    private static let maximumGapCount = 32

    private static let unknown = Int64.min

    private struct State {
        /// Up to this time of the service, the clock was right or has a gap; `nil` if the server has told no time.
        var checkedTo: Timestamp?
        /// Up to this time of the service, no node had written at a later time, or the clock has a gap.
        var followedTo: Timestamp
        /// Whether the server has told this process its time.
        var isOwn = false
        var gaps: [ClockGap] = []
        /// The last answer, if it was too slow to show whether the clock is right: when it was asked for, and whether
        /// the clock may be wrong.
        var vague: (askedAt: Timestamp, mayBeWrong: Bool)?

        init(_ noted: TimeNote?) {
            (checkedTo, gaps) = (noted?.heardAt, noted?.gaps ?? [])
            followedTo = noted?.heardAt ?? .distantPast
        }

        /// Notes what is known about the time since `checkedTo`.
        mutating func check(to askedAt: Timestamp, mayBeWrong: Bool, now: Timestamp) {
            defer { (checkedTo, vague) = (askedAt, nil) }
            if mayBeWrong, let start = checkedTo { doubt(from: start, through: now) }
        }

        /// Makes the clock show `latest` at least. If it was behind that, anything since `followedTo` may have happened
        /// after what another node wrote at a later time.
        mutating func follow(_ latest: Timestamp, askedAt: Timestamp, _ clock: ServiceClock) {
            let isBehind = latest > clock.now().advanced(by: ClusterTime.uncertainty)
            clock.follow(latest)
            let now = clock.now()
            if isBehind, now >= latest { doubt(from: followedTo, through: now) }
            followedTo = max(followedTo, askedAt)
        }

        mutating func doubt(from start: Timestamp, through end: Timestamp) {
            gaps.append(ClockGap(from: start, through: end))
            guard gaps.count > ClusterTime.maximumGapCount else { return }
            let second = gaps.remove(at: 1)
            gaps[0] = gaps[0].joined(with: second)
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
        state = Mutex(State(noted))
        self.system = system
    }

    /// Whether ``reading()`` gives the server's time, and not the machine's.
    var isKnown: Bool { offset.load(ordering: .relaxed) != Self.unknown }

    /// Whether the time of `clock` is the server's.
    func isRight(_ clock: ServiceClock) -> Bool { isKnown && clock.lead <= Self.uncertainty }

    /// The earliest possible real time.
    /// - Parameter lastNoted: a time that has passed.
    func earliest(_ clock: ServiceClock, lastNoted: Timestamp) -> Timestamp { isKnown ? clock.earliest : lastNoted }

    /// The periods in which the time was not known, as far as the server's answers have shown: the clock may have been
    /// wrong by more than 50 ms, or behind what other nodes wrote by more than ``uncertainty``.
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
    func update(_ told: ToldTime, _ clock: ServiceClock, _ known: KnownUntil) {
        switch told {
        case .server(let nanoseconds, let askedAt):
            let (now, monotonic) = (clock.now(), system().monotonic)
            // Read last: if this thread is held up, the round trip is too long, and the time of the question too early.
            let roundTrip = ContinuousClock.now - askedAt
            // The clock may lead, and before the first answer it shows the machine's time.
            let told = Timestamp(millisecondsSince1970: nanoseconds / 1_000_000)
            let sentAt = Self.earlier(min(now, told), by: roundTrip)
            state.withLock { update(nanoseconds, at: monotonic, roundTrip, askedAt: sentAt, clock, &$0) }
        case .written(let latest, let askedAt):
            // Held while the clock follows: a thread that sees that it has followed sees the gap, too.
            state.withLock { state in
                // Before the server has told its time, the clock's is another one.
                let now = isKnown ? clock.now() : .distantPast
                state.follow(latest, askedAt: Self.earlier(now, by: ContinuousClock.now - askedAt), clock)
            }
        case .rulesKnown(let end): known.extend(to: end)
        }
    }

    /// A time in whole milliseconds that is earlier by `duration` at least.
    private static func earlier(_ time: Timestamp, by duration: Duration) -> Timestamp {
        time - (duration + .milliseconds(1))
    }

    /// - Parameters:
    ///   - monotonic: when the answer was there.
    ///   - askedAt: when the question was sent, in the service's time.
    private func update(
        _ nanoseconds: Int64, at monotonic: Int64, _ roundTrip: Duration, askedAt: Timestamp, _ clock: ServiceClock,
        _ state: inout State
    ) {
        let known = offset.load(ordering: .relaxed)
        follow(nanoseconds, at: monotonic, roundTrip: roundTrip)
        state.isOwn = true
        guard known != Self.unknown else {
            // Nothing is known of the times that an earlier process left. The clock may have shown any time until now.
            let told = Timestamp(millisecondsSince1970: nanoseconds / 1_000_000)
            state.doubt(from: .distantPast, through: told)
            return state.checkedTo = askedAt
        }
        // The server read its clock after it was asked, and before the answer was there.
        let least = nanoseconds &- monotonic &- known
        let most = least &+ ClockReading.nanoseconds(roundTrip)
        let mayBeWrong = most > Self.minimumGap || least < -Self.minimumGap
        let isCertain = roundTrip <= Self.precision || least > Self.tolerance || most < -Self.tolerance
        guard isCertain else { return state.vague = (askedAt, mayBeWrong) }
        // The clock shows the new time already, so nothing with the old one is later.
        state.check(to: askedAt, mayBeWrong: mayBeWrong, now: clock.now())
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
            state.check(to: vague.askedAt, mayBeWrong: vague.mayBeWrong, now: clock.now())
        }
    }

    /// Follows a time that the server has just told.
    /// - Parameters:
    ///   - nanoseconds: the server's time since 1970.
    ///   - monotonic: when the answer was there.
    ///   - roundTrip: from the question to the answer.
    func follow(_ nanoseconds: Int64, at monotonic: Int64, roundTrip: Duration) {
        let known = offset.load(ordering: .relaxed)
        guard roundTrip <= Self.maximumRoundTrip || known == Self.unknown else { return }
        let half = ClockReading.nanoseconds(roundTrip) / 2
        let told = nanoseconds &+ half &- monotonic
        // A smaller difference from the last answer is within the possible error of one answer.
        guard known == Self.unknown || abs(told &- known) > Self.tolerance + half else { return }
        offset.store(told, ordering: .relaxed)
    }
}
