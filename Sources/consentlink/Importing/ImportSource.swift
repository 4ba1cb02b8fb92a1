/// The rows of a file, in the batches in which they are sent. From the beginning of a batch on, the same rows always
/// give the same batches.
struct ImportSource {
    enum Notation: Sendable {
        case csv
        case json
    }

    struct Batch: Sendable {
        fileprivate(set) var rows: [ImportRow] = []
        fileprivate(set) var byteCount = 0
    }

    private static let rowsAtOnce = 1000
    private static let bytesAtOnce = 4 << 20

    private let source: InputFile
    private let notation: Notation
    private var csv = CSVReader()
    private var json = JSONRows()
    private var table: ConsentTable?
    private var rows: ArraySlice<ImportRow> = []
    private var hasEnded = false
    /// How many rows were returned.
    private var given = 0

    init(_ source: InputFile, _ notation: Notation) {
        self.source = source
        self.notation = notation
    }

    /// - Parameter end: the row of the file, from 1, after which the batch must end, for any size. Rows that were added
    ///   after it are in batches of their own.
    /// - Returns: `nil` after the last batch.
    mutating func next(endingAt end: Int? = nil) async throws -> Batch? {
        var batch = Batch()
        while true {
            while let row = rows.popFirst() {
                if case .record(let json, _) = row.content { batch.byteCount += json.count + 1 }
                batch.rows.append(row)
                given += 1
                let isFull = batch.rows.count == Self.rowsAtOnce || batch.byteCount >= Self.bytesAtOnce
                if isFull || given == end { return batch }
            }
            guard !hasEnded else { return batch.rows.isEmpty ? nil : batch }
            if let piece = try await source.next() {
                rows = try read(piece)[...]
            } else {
                hasEnded = true
                rows = try last()[...]
            }
        }
    }

    private mutating func read(_ piece: [UInt8]) throws(CommandFailure) -> [ImportRow] {
        switch notation {
        case .json: json.read(piece)
        case .csv: try rows(csv.read(piece))
        }
    }

    private mutating func last() throws(CommandFailure) -> [ImportRow] {
        switch notation {
        case .json: return json.last()
        case .csv:
            let rest = try rows(csv.last())
            guard table != nil else { throw ConsentTable.empty }
            return rest
        }
    }

    private mutating func rows(_ records: [CSVReader.Record]) throws(CommandFailure) -> [ImportRow] {
        var rows: [ImportRow] = []
        for record in records {
            if let table {
                if let row = table.row(record) { rows.append(row) }
            } else {
                table = try ConsentTable(record)
            }
        }
        return rows
    }
}
