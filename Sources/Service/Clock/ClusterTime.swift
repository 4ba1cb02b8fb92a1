import Identifiers
import Redirect
import SQLStorage
import Synchronization

/// The time that nodes of one storage share: the server's time, continued by this machine's monotonic clock.
///
/// A process begins with the time that the one before it noted. Without such a note, the machine's wall clock is read
/// until the server has told its time. So a step of the wall clock is no step of
/// the service, and nodes with different clocks agree to within the round trip of a query. While the server cannot be
/// reached, the monotonic clock continues alone; it errs by at most 100 ppm, a tenth of a second in a quarter hour.
final class ClusterTime: Sendable {
    /// How far the times of two nodes may differ, even after forty minutes without the server.
    static let uncertainty = Duration.milliseconds(250)
    /// A slow answer says little about the time.
    private static let greatestRoundTrip = Duration.milliseconds(100)
    /// In nanoseconds: a smaller difference is no change of the server's clock.
    private static let tolerance: Int64 = 2_000_000

    private static let unknown = Int64.min

    /// Server time less monotonic time, in nanoseconds.
    private let offset: Atomic<Int64>
    /// When the server last told this process its time, in milliseconds of the service's time.
    private let heardAt = Atomic<Int64>(unknown)
    private let system: @Sendable () -> ClockReading

    /// - Parameter noted: by an earlier process, on the same start of the machine.
    init(noted: TimeNote? = nil, system: @escaping @Sendable () -> ClockReading = ClockReading.system) {
        offset = Atomic(noted?.offset ?? Self.unknown)
        self.system = system
    }

    /// Whether ``reading()`` gives the server's time, and not the machine's.
    var isKnown: Bool { offset.load(ordering: .relaxed) != Self.unknown }

    /// For the next process; `nil` if the server has not told this one its time.
    var note: TimeNote? {
        let (offset, heardAt) = (offset.load(ordering: .relaxed), heardAt.load(ordering: .relaxed))
        guard offset != Self.unknown, heardAt != Self.unknown else { return nil }
        return TimeNote(offset: offset, heardAt: Timestamp(millisecondsSince1970: heardAt))
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
        case .server(let nanoseconds, let roundTrip):
            guard note(nanoseconds, roundTrip: roundTrip) else { return }
            heardAt.store(clock.now().millisecondsSince1970, ordering: .relaxed)
        case .written(let latest): clock.follow(latest)
        case .rulesKnown(let end): known.extend(to: end)
        }
    }

    /// Notes a time that the server has just told.
    /// - Parameters:
    ///   - nanoseconds: the server's time since 1970.
    ///   - roundTrip: from the question to the answer.
    /// - Returns: whether it says anything.
    @discardableResult
    func note(_ nanoseconds: Int64, roundTrip: Duration) -> Bool {
        let known = offset.load(ordering: .relaxed)
        guard roundTrip <= Self.greatestRoundTrip || known == Self.unknown else { return false }
        let half = roundTrip.components.seconds * 500_000_000 + roundTrip.components.attoseconds / 2_000_000_000
        let told = nanoseconds &+ half &- system().monotonic
        // A smaller difference from the last answer is within the possible error of one answer.
        guard known == Self.unknown || abs(told &- known) > Self.tolerance + half else { return true }
        offset.store(told, ordering: .relaxed)
        return true
    }
}
