extension ConsoleTable {
    /// A table of a file alone: its columns are called by the names that programs know.
    init(file name: String, _ caption: String, _ columns: [String], _ rows: [[Cell]]) {
        self.init(name: name, caption: caption, columns: columns.map { Column($0, $0) }, rows: rows)
    }

    /// A table of a page alone, such as the numbers of a chart.
    init(shown caption: String, _ columns: [Column], _ rows: [[Cell]], whenEmpty: String = "") {
        self.init(name: "shown", caption: caption, columns: columns, rows: rows, whenEmpty: whenEmpty)
    }
}

extension ConsoleTable.Column {
    /// Of a table of a page alone.
    static func text(_ title: String) -> Self { Self("", title) }

    /// The same, of numbers.
    static func number(_ title: String) -> Self { Self("", title, .number) }
}
