import Synchronization

/// The answers to a sequence of lines. The exchange begins with the first reader, and there is no other: it would send
/// every line again, or share the lines of a source that can be read only once.
struct LineAnswers: Sendable {
    let makeExchange: @Sendable (ExchangeRecord) -> LineExchange
    /// Gives the window its lines and returns after the last.
    let feed: @Sendable (LineWindow) async throws -> Void
    let record = ExchangeRecord()
    private let readers = ReaderCount()

    /// Begins to send. A second reader only throws.
    func begin() -> Reader { Reader(run: readers.isFirst() ? LineRun(makeExchange(record), feed: feed) : nil) }

    /// Reads the answers line by line. The exchange ends with the reader.
    struct Reader {
        /// `nil` if there was a reader before.
        let run: LineRun?
        private var lines = LineBatch()
        private var position = 0

        init(run: LineRun?) { self.run = run }

        /// - Returns: a line without its line feed; `nil` after the last.
        mutating func next() async throws -> ArraySlice<UInt8>? {
            guard let run else {
                throw ConsentLinkError.invalidArgument(
                    "a stream of lines is iterated once; another call sends the lines again")
            }
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

/// Shared by all copies of a sequence.
private final class ReaderCount: Sendable {
    private let hasReader = Atomic(false)

    /// `true` only for the first call.
    func isFirst() -> Bool {
        hasReader.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
    }
}
