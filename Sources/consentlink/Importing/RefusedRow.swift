import JSON

/// A row that was not recorded: its lines of the file, from 1, and the reason. It contains nothing from the row.
struct RefusedRow: Equatable, Sendable, CustomStringConvertible {
    let lines: ClosedRange<Int>
    let reason: String

    var description: String {
        let extent = lines.count == 1 ? "line \(lines.lowerBound)" : "lines \(lines.lowerBound) to \(lines.upperBound)"
        return "\(extent): \(reason)"
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("line", lines.lowerBound)
            writer.member("lastLine", lines.upperBound)
            writer.member("reason", reason)
        }
    }
}
