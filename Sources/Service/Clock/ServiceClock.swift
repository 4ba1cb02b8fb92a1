import Consent
import Identifiers
import StoragePorts
import Synchronization

/// The clock of the service: every stored time, and every time at which consent is judged, is read here.
///
/// It never goes back, neither when the wall clock does nor over a restart (``begin(notBefore:)``), and it never stops:
/// ``ServiceTime`` says how it moves. It may be called on any thread; a call is two readings of the system's clocks and
/// two loads.
final class ServiceClock: Sendable {
    /// How often a precise reading is tried.
    private static let attempts = 8
    /// Both clocks are read within this time, unless the machine is too busy.
    private static let precision = Duration.milliseconds(1)

    private let source: @Sendable () -> ClockReading
    /// A ``ServiceTime``.
    private let time: Atomic<Int64>
    /// The latest returned time, in milliseconds. Another thread may change the pace while one reads the clocks.
    private let told = Atomic<Int64>(0)
    /// Guards the record of the clock's steps and faults. ``now()`` does not take the lock.
    private let record: Mutex<ClockRecord>

    init(source: @escaping @Sendable () -> ClockReading = ClockReading.system) {
        self.source = source
        let reading = source()
        time = Atomic(ServiceTime(reading.wall, at: reading.monotonic).word)
        record = Mutex(ClockRecord(reading))
    }

    /// The present time; not earlier than any time that was returned before.
    func now() -> Timestamp {
        let reading = source()
        let time = change { $0.following(wall: reading.wall, monotonic: reading.monotonic) }
        let milliseconds = time.nanoseconds(at: reading.monotonic) / 1_000_000
        let latest = told.load(ordering: .relaxed)
        guard milliseconds > latest else { return Timestamp(millisecondsSince1970: latest) }
        return Timestamp(
            millisecondsSince1970: told.max(milliseconds, ordering: .relaxed).newValue)
    }

    /// Continues from `floor` if that is later: for the start, with the latest time in the store.
    /// - Returns: how far the wall clock is behind `floor`.
    func begin(notBefore floor: Timestamp) -> Duration {
        let reading = preciseReading()
        let nanoseconds = min(max(floor.millisecondsSince1970, 0), ServiceTime.end / 1_000_000) * 1_000_000
        // Earlier returned times are dropped: the source may have learned the time only now.
        told.store(0, ordering: .relaxed)
        let time = change { _ in ServiceTime(max(nanoseconds, reading.wall), at: reading.monotonic) }
        return time.lead(wall: reading.wall, monotonic: reading.monotonic)
    }

    /// Continues from `stored` if that is later: another node wrote at that time, and what it wrote must not lie in the
    /// future. A time that no clock of this service shows was forged and is not followed.
    func follow(_ stored: Timestamp) {
        guard (0..<ServiceTime.end / 1_000_000).contains(stored.millisecondsSince1970) else { return }
        let (monotonic, nanoseconds) = (source().monotonic, stored.millisecondsSince1970 * 1_000_000)
        _ = change { $0.nanoseconds(at: monotonic) < nanoseconds ? ServiceTime(nanoseconds, at: monotonic) : $0 }
    }

    /// How far it is ahead of the wall clock; zero while they agree.
    var lead: Duration {
        let reading = preciseReading()
        let lead = current.lead(wall: reading.wall, monotonic: reading.monotonic)
        return lead > ServiceTime.toleratedLead ? lead : .zero
    }

    /// The earlier of wall clock and service time: for things that must not be done too early.
    var earliest: Timestamp { now() - lead }

    /// The wall clock, which may step: for times that other systems compare with their own clocks.
    var wall: Timestamp { source().timestamp }

    /// The present time, and which times may be wrong.
    var recordingTime: RecordingTime {
        let (now, reading, time) = (now(), preciseReading(), current)
        let lead = time.lead(wall: reading.wall, monotonic: reading.monotonic)
        return RecordingTime(now: now, faults: record.withLock { $0.faults(at: reading, lead: lead) })
    }

    /// Compares the clocks and sets the pace. Must be called every second or so.
    /// - Returns: the step of the wall clock since the last time.
    func observe() -> ClockStep? {
        let reading = preciseReading()
        let time = change {
            $0.following(wall: reading.wall, monotonic: reading.monotonic)
                .paced(wall: reading.wall, monotonic: reading.monotonic)
        }
        let lead = time.lead(wall: reading.wall, monotonic: reading.monotonic)
        return record.withLock { $0.observe(reading, lead: lead) }
    }

    /// Continues from what is stored of the clock. Must be called after ``begin(notBefore:)``.
    /// - Parameter boot: of this start of the machine; `nil` if other processes have the storage open, too.
    func resume(_ history: ClockHistory, boot: String?) {
        let reading = preciseReading()
        let lead = current.lead(wall: reading.wall, monotonic: reading.monotonic)
        record.withLock { $0.resume(history, boot: boot, reading, lead: lead) }
    }

    /// Whether the wall clock went ahead by more than a day within the last day, and is not back.
    var hasLeapt: Bool {
        let reading = preciseReading()
        return record.withLock { $0.hasLeapt(at: reading) }
    }

    /// What is to be stored of the clock.
    var unsaved: ClockHistory.Change { record.withLock { $0.change } }

    /// - Parameter stored: the faults that are stored now, also those of other processes.
    func wasStored(_ change: ClockHistory.Change, as stored: ClockFaults) {
        record.withLock { $0.wasStored(change, as: stored) }
    }

    private var current: ServiceTime { ServiceTime(word: time.load(ordering: .acquiring)) }

    private func change(_ next: (ServiceTime) -> ServiceTime) -> ServiceTime {
        var word = time.load(ordering: .acquiring)
        while true {
            let changed = next(ServiceTime(word: word))
            guard changed.word != word else { return changed }
            let (isDone, found) = time.compareExchange(
                expected: word, desired: changed.word, ordering: .acquiringAndReleasing)
            if isDone { return changed }
            word = found
        }
    }

    /// A reading that was not interrupted: if its two halves are apart, it would look like a step.
    private func preciseReading() -> ClockReading {
        var best = source()
        var width: Duration?
        for _ in 0..<Self.attempts where width.map({ $0 > Self.precision }) ?? true {
            let (before, reading) = (source().monotonic, source())
            let taken = Duration.nanoseconds(reading.monotonic - before)
            if width.map({ taken < $0 }) ?? true { (best, width) = (reading, taken) }
        }
        return best
    }
}
