/// How many lines are stored whose answers the client's machine has not acknowledged, as a value: the caller reports
/// what it gave to the connection and how many of those bytes may be unacknowledged. The window measures nothing
/// itself.
struct LineWindow {
    enum Admission: Equatable {
        /// From now on the lines count as stored.
        case admit
        /// Measure the acknowledged bytes, report them with ``acknowledge(allBut:)``, and ask again.
        case measure
        /// Wait for that time, and ask again.
        case wait(Duration)
    }

    static let minimumPause = Duration.milliseconds(1)
    static let maximumPause = Duration.milliseconds(50)

    private struct Written {
        let lines: Int
        let bytes: Int
    }

    /// How many lines may be stored and not acknowledged.
    private let limit: Int
    /// Lines that are stored, and not given to the connection yet.
    private var inHand = 0
    /// Answers that were given to the connection, the oldest first.
    private var written: [Written] = []
    /// The length of ``written`` when a measurement was asked for: the measurement does not cover later answers.
    private var toMeasure: Int?
    /// Whether a measurement was reported since the last call.
    private var isMeasured = false
    /// The next pause of a batch that waits.
    private var pause = Self.minimumPause

    init(limit: Int) { self.limit = limit }

    private var lines: Int { written.reduce(inHand) { $0 + $1.lines } }

    /// Whether `count` more lines may be stored. A batch that is larger than the window is stored alone.
    mutating func admit(_ count: Int) -> Admission {
        guard lines == 0 || lines + count <= limit else {
            guard isMeasured else {
                toMeasure = written.count
                return .measure
            }
            isMeasured = false
            defer { pause = min(pause * 2, Self.maximumPause) }
            return .wait(pause)
        }
        isMeasured = false
        inHand += count
        pause = Self.minimumPause
        return .admit
    }

    /// The answers to `count` of the admitted lines were given to the connection.
    mutating func wrote(_ count: Int, bytes: Int) {
        inHand -= count
        written.append(Written(lines: count, bytes: bytes))
    }

    /// Drops the answers that are certainly acknowledged, given that at most the last `waiting` bytes of those written
    /// before the measurement was asked for are not.
    mutating func acknowledge(allBut waiting: Int) {
        let measured = written.prefix(toMeasure ?? written.count)
        toMeasure = nil
        isMeasured = true
        guard waiting > 0 else { return written.removeFirst(measured.count) }
        var bytes = 0
        let first = measured.lastIndex { batch in
            bytes += batch.bytes
            return bytes >= waiting
        }
        if let first { written.removeFirst(first) }
    }
}
