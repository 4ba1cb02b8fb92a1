import HTTPAPI
import JSON

extension ConsoleTable {
    /// The table in CSV (RFC 4180), with a line of names first.
    var csv: [UInt8] {
        var writer = CSVWriter()
        for column in columns { writer.cell(column.name) }
        writer.endLine()
        for row in rows {
            for cell in row { writer.cell(cell.text) }
            writer.endLine()
        }
        return writer.bytes
    }

    /// The member of this table in the JSON of a page: an array of objects.
    func write(to writer: inout JSONWriter) {
        writer.key(name)
        writer.array { writer in
            for row in rows {
                writer.object { writer in
                    for (column, cell) in zip(columns, row) { cell.write(column.name, to: &writer) }
                }
            }
        }
    }
}

extension ConsoleTable.Cell {
    fileprivate func write(_ name: String, to writer: inout JSONWriter) {
        switch self {
        case .number(let number): writer.member(name, number)
        case .share(let share?):
            writer.key(name)
            writer.raw(share.decimal.utf8)
        default: writer.member(name, text)
        }
    }
}
