/// How many lines are stored whose answers a client may not have read, as a value: it is told what was given to the
/// connection and how many bytes of that may be on their way, and measures nothing itself.
///
/// What a client's machine has acknowledged waits in its buffer until the client reads it. So the last bytes of that
/// count too, as many as such a buffer holds.
struct LineWindow {
    /// What a client's machine may have acknowledged while the client does not read.
    struct Received {
        /// In bytes.
        let bytes: Int
        /// In lines: they count as no more than this, for the kernel never says that they were read.
        let mostLines: Int

        static let none = Received(bytes: 0, mostLines: 0)
    }

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

    /// Some answers, one behind the other.
    struct Written {
        let lines: Int
        let bytes: Int
    }

    /// One batch is stored, one is written, and the last part of another may wait to be acknowledged.
    private static let batchesAhead = 3

    /// How many lines may be stored and not read.
    private let limit: Int
    private let received: Received
    /// Stored, and not given to the connection yet.
    private var inHand = 0
    /// Given to the connection, the oldest first.
    private var written: [Written] = []
    /// Acknowledged, and perhaps not read; the oldest first.
    private var acknowledged: [Written] = []
    /// How many of ``written`` there were when a measurement was asked for: it says nothing of what came later.
    private var toMeasure: Int?
    /// Whether it was told what is acknowledged since it was asked last.
    private var isMeasured = false
    /// The next pause of a batch that waits.
    private var pause = Self.shortestPause

    init(limit: Int, received: Received = .none) {
        self.limit = limit
        self.received = received
    }

    /// How many lines a batch may have, so that the next ones need not wait for it.
    var linesAtOnce: Int { max((limit - perhapsUnread) / Self.batchesAhead, 1) }

    private var perhapsUnread: Int { min(acknowledged.reduce(0) { $0 + $1.lines }, received.mostLines) }
    private var underway: Int { written.reduce(inHand) { $0 + $1.lines } }

    /// Whether as many lines more may be stored. A batch that is larger than the window goes alone.
    mutating func admit(_ count: Int) -> Admission {
        let underway = underway
        guard underway == 0 || perhapsUnread + underway + count <= limit else {
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
    mutating func wrote(_ answers: [Written]) {
        inHand -= answers.reduce(0) { $0 + $1.lines }
        written += answers
    }

    /// Forgets what is surely acknowledged when, of what was written before it was asked for, no more than the last
    /// `waiting` bytes may not be.
    mutating func acknowledge(allBut waiting: Int) {
        let measured = written.prefix(toMeasure ?? written.count)
        toMeasure = nil
        isMeasured = true
        let count = measured.count - Self.count(of: waiting, atTheEndOf: measured)
        acknowledged += written[..<count]
        written.removeFirst(count)
        acknowledged.removeFirst(
            acknowledged.count - Self.count(of: received.bytes, atTheEndOf: acknowledged[...]))
    }

    /// How many entries have the last `bytes`, the one in which these begin among them.
    private static func count(of bytes: Int, atTheEndOf entries: ArraySlice<Written>) -> Int {
        guard bytes > 0 else { return 0 }
        var found = 0
        let first = entries.lastIndex { entry in
            found += entry.bytes
            return found >= bytes
        }
        return entries.endIndex - (first ?? entries.startIndex)
    }
}
