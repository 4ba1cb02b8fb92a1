import Synchronization

/// The time that nodes of one storage share: that of the storage's server, carried on by this machine's monotonic clock.
///
/// The wall clock of the machine is asked only before the server has told its time: a step of it is no step of the
/// service, and nodes whose clocks differ agree within the round trip of a question. While the server cannot be asked the
/// monotonic clock goes on alone; it errs by 100 ppm at most, which is a tenth of a second after a quarter of an hour.
final class ClusterTime: Sendable {
    /// How far the times of two nodes may be apart, after forty minutes without the server too.
    static let uncertainty = Duration.milliseconds(250)
    /// A slow answer says little about the time.
    private static let greatestRoundTrip = Duration.milliseconds(100)
    /// A server's time that departs by less is that of the same clock.
    private static let tolerance: Int64 = 2_000_000

    private static let unknown = Int64.min

    /// Server time less monotonic time, in nanoseconds.
    private let offset = Atomic<Int64>(unknown)
    private let system: @Sendable () -> ClockReading

    init(system: @escaping @Sendable () -> ClockReading = ClockReading.system) { self.system = system }

    /// For ``ServiceClock``.
    func reading() -> ClockReading {
        let reading = system()
        let offset = offset.load(ordering: .relaxed)
        guard offset != Self.unknown else { return reading }
        return ClockReading(wall: reading.monotonic &+ offset, monotonic: reading.monotonic)
    }

    /// The server has just told its time.
    /// - Parameters:
    ///   - nanoseconds: since 1970.
    ///   - roundTrip: from the question to the answer.
    func note(_ nanoseconds: Int64, roundTrip: Duration) {
        let known = offset.load(ordering: .relaxed)
        guard roundTrip <= Self.greatestRoundTrip || known == Self.unknown else { return }
        let half = roundTrip.components.seconds * 500_000_000 + roundTrip.components.attoseconds / 2_000_000_000
        let told = nanoseconds &+ half &- system().monotonic
        // Between two answers the offset moves by what one of them may be wrong.
        guard known == Self.unknown || abs(told &- known) > Self.tolerance + half else { return }
        offset.store(told, ordering: .relaxed)
    }
}
