/// How many lines are stored whose answers a client's machine has not acknowledged, as a value: it is told what was
/// given to the connection and how many bytes of that may be on their way, and measures nothing itself.
struct LineWindow {
    enum Admission: Equatable {
        /// The lines count as stored from now on.
        case admit
        /// Measure what is acknowledged, tell it with ``acknowledge(allBut:)``, and ask again.
        case measure
        /// Wait that long, and ask again.
        case wait(Duration)
    }

    static let shortestPause = Duration.milliseconds(1)
    static let longestPause = Duration.milliseconds(50)

    private struct Written {
        let lines: Int
        let bytes: Int
    }

    /// How many lines may be stored and not acknowledged.
    private let limit: Int
    /// Stored, and not given to the connection yet.
    private var inHand = 0
    /// Given to the connection, the oldest first.
    private var written: [Written] = []
    /// How many of ``written`` there were when a measurement was asked for: it says nothing of what came later.
    private var toMeasure: Int?
    /// Whether it was told what is acknowledged since it was asked last.
    private var isMeasured = false
    /// The next pause of a batch that waits.
    private var pause = Self.shortestPause

    init(limit: Int) { self.limit = limit }

    private var lines: Int { written.reduce(inHand) { $0 + $1.lines } }

    /// Whether as many lines more may be stored. A batch that is larger than the window goes alone.
    mutating func admit(_ count: Int) -> Admission {
        guard lines == 0 || lines + count <= limit else {
            guard isMeasured else {
                toMeasure = written.count
                return .measure
            }
            isMeasured = false
            defer { pause = min(pause * 2, Self.longestPause) }
            return .wait(pause)
        }
        isMeasured = false
        inHand += count
        pause = Self.shortestPause
        return .admit
    }

    /// The answers to as many of the lines that were admitted are given to the connection.
    mutating func wrote(_ count: Int, bytes: Int) {
        inHand -= count
        written.append(Written(lines: count, bytes: bytes))
    }

    /// Forgets what is surely acknowledged when, of what was written before it was asked for, no more than the last
    /// `waiting` bytes may not be.
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
