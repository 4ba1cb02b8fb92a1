import SQL

/// Writes down what it is told, and has the rows that it is given: one column of numbers.
final class RecordedStatement: PreparedStatement {
    struct Failure: Error, Equatable {}

    private(set) var calls: [String] = []
    private let rows: [Int64]
    private var row = -1
    /// The call that fails.
    var failing: String?

    init(rows: [Int64] = []) { self.rows = rows }

    private func note(_ call: String) throws {
        calls.append(call)
        if call == failing { throw Failure() }
    }

    func bind(_ value: Int64, at place: Int32) throws { try note("\(place)=\(value)") }
    func bindNull(as type: SQLType, at place: Int32) throws { try note("\(place)=null \(type)") }
    func bind(text: UnsafeRawBufferPointer, at place: Int32) throws {
        try note("\(place)=text \(String(decoding: text, as: UTF8.self))")
    }
    func bind(bytes: UnsafeRawBufferPointer, at place: Int32) throws { try note("\(place)=bytes \(Array(bytes))") }
    func bind(personal text: UnsafeRawBufferPointer, at place: Int32) throws {
        try note("\(place)=personal \(String(decoding: text, as: UTF8.self))")
    }
    func bind(integers: [Int64], at place: Int32) throws { try note("\(place)=integers \(integers)") }

    func bind(byteStrings: [[UInt8]], at place: Int32) throws { try note("\(place)=bytes \(byteStrings)") }

    func requireAllBound(_ count: Int32) throws { try note("\(count) bound") }
    func execute() throws { try note("execute") }
    func addRow() throws { try note("add row") }
    func finishRows() throws { try note("finish rows") }
    func executeCounting() throws -> Int {
        try note("count")
        return rows.count
    }
    func executeNumbering() throws -> Int64? {
        try note("number")
        return rows.isEmpty ? nil : Int64(rows.count)
    }
    func step() throws -> Bool {
        try note("step")
        row += 1
        return row < rows.count
    }
    func reset() {
        calls.append("reset")
        row = -1
    }
    func isNull(_: Int32) -> Bool { false }
    func integer(_: Int32) -> Int64 { rows[row] }
    func text(_ column: Int32) -> String { "\(integer(column))" }
    func bytes(_ column: Int32) -> [UInt8] { Array(text(column).utf8) }
    func personalText(_ column: Int32) -> String? { text(column) }
}
