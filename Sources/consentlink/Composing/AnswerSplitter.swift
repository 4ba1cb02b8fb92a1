import ConsentLinkClient

/// Cuts earlier answers at their line feeds and counts the lines.
struct AnswerSplitter: Sendable {
    /// Whole lines from one piece.
    struct Cut {
        var bytes: [UInt8] = []
        var count = 0
        /// Whether the next line, and every line after it, must be sent again.
        var mustStop = false
    }

    private(set) var counts = AnswerCounts()
    /// The last payload and its line, from 1; for comparison with the recipients.
    private(set) var lastPayload: (line: Int, bytes: [UInt8])?
    /// The recipients of all payloads.
    private(set) var recipients = AnsweredRecipients()
    /// Lines, from 1, without a payload.
    private(set) var refusedLines = RangeSet<Int>()
    /// The first line, from 1, that is no answer of the service.
    private(set) var foreignLine: Int?
    /// Whether to keep everything above, not only ``counts``.
    var keepsLastPayload = false
    private var splitter = LineSplitter()

    /// The length of the incomplete line. For tests.
    var restCount: Int { splitter.restCount }

    /// Whether the incomplete line can be the beginning of an answer. After a power failure, a file system may leave
    /// zeros there.
    var isRestOfAnswer: Bool { AnswerCounts.isBeginning(splitter.rest[...]) || splitter.rest.allSatisfy { $0 == 0 } }

    /// Drops the beginning of a line whose rest was lost.
    mutating func dropRest() { splitter.dropRest() }

    mutating func read(_ piece: UnsafeRawBufferPointer) throws(LineSplitter.LineTooLong) -> Cut {
        let lines = try splitter.read(piece)
        for index in 0..<lines.count {
            let line = lines.line(at: index)
            switch counts.add(line) {
            case .mustBeSentAgain:
                let whole = lines[0..<index]
                return Cut(bytes: whole.bytes, count: whole.count, mustStop: true)
            case .payload: if keepsLastPayload { keep(line) }
            case .refusal:
                if keepsLastPayload { refusedLines.insert(contentsOf: counts.lines..<counts.lines + 1) }
            }
        }
        return Cut(bytes: lines.bytes, count: lines.count)
    }

    private mutating func keep(_ payload: ArraySlice<UInt8>) {
        if !AnswerCounts.isAnswer(payload) { foreignLine = foreignLine ?? counts.lines }
        lastPayload = (counts.lines, Array(payload))
        recipients.add(ofPayload: payload)
    }
}
