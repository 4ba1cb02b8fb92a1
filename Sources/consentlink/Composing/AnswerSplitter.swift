import ConsentLinkClient

/// Cuts answers that were written before at their line feeds and counts the lines.
struct AnswerSplitter: Sendable {
    /// Whole lines that came in one piece.
    struct Cut {
        var bytes: [UInt8] = []
        var count = 0
        /// The line behind them must be sent again, and with it everything after it.
        var mustStop = false
    }

    private(set) var counts = AnswerCounts()
    /// The last payload and its line, from 1; to be compared with the recipients.
    private(set) var lastPayload: (line: Int, bytes: [UInt8])?
    /// Of all payloads.
    private(set) var recipients = AnsweredRecipients()
    /// Lines, from 1, that have no payload.
    private(set) var refusedLines = RangeSet<Int>()
    /// The first line, from 1, that is no answer of the service.
    private(set) var foreignLine: Int?
    /// Whether everything above but ``counts`` is wanted.
    var keepsLastPayload = false
    private var splitter = LineSplitter()

    /// The beginning of a line that is not whole.
    var restCount: Int { splitter.restCount }

    /// Whether the rest can be what came of an answer that was being written. After the power failed, a file system may
    /// leave zeros there.
    var isRestOfAnswer: Bool { AnswerCounts.isBeginning(splitter.rest[...]) || splitter.rest.allSatisfy { $0 == 0 } }

    /// Forgets the beginning of a line: the rest of it was lost.
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
