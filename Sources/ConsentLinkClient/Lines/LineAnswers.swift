/// The answers to a sequence of lines. The exchange begins with a reader.
struct LineAnswers: Sendable {
    let makeExchange: @Sendable (ExchangeRecord) -> LineExchange
    /// Gives the window its lines and returns after the last.
    let feed: @Sendable (LineWindow) async throws -> Void
    /// Shared by all readers.
    let record = ExchangeRecord()

    /// Begins to send, anew for each reader.
    func begin() -> Reader { Reader(run: LineRun(makeExchange(record), feed: feed)) }

    /// Reads the answers line by line. The exchange ends with the reader.
    struct Reader {
        let run: LineRun
        private var lines = LineBatch()
        private var position = 0

        init(run: LineRun) { self.run = run }

        /// - Returns: a line without its line feed; `nil` after the last.
        mutating func next() async throws -> ArraySlice<UInt8>? {
            while position == lines.count {
                guard let more = try await run.next() else { return nil }
                lines = more
                position = 0
            }
            defer { position += 1 }
            return lines.line(at: position)
        }
    }
}

extension LineAnswers {
    /// - Parameters:
    ///   - order: the first line, without its line feed; `nil` if there is none.
    ///   - beginning: how an answer begins that is no refusal.
    ///   - patience: how long to retry while nothing is answered.
    init(
        _ transport: Transport, _ path: String, order: [UInt8]?,
        answersBegin beginning: [UInt8] = AnsweredLine.payloadBeginning, patience: Duration,
        feed: @escaping @Sendable (LineWindow) async throws -> Void
    ) {
        let first = order.map { $0 + [UInt8(ascii: "\n")] } ?? []
        makeExchange = { record in
            LineExchange(
                transport: transport, path: path, order: first, answersBegin: beginning, record: record,
                patience: patience)
        }
        self.feed = feed
    }
}
