extension ConsoleTable {
    /// A table only for a file: its columns have the names that programs know.
    init(file name: String, _ caption: String, _ columns: [String], _ rows: [[Cell]]) {
        self.init(name: name, caption: caption, columns: columns.map { Column($0, $0) }, rows: rows)
    }

    /// A table only for a page, such as the numbers of a chart.
    init(shown caption: String, _ columns: [Column], _ rows: [[Cell]], whenEmpty: String = "") {
        self.init(name: "shown", caption: caption, columns: columns, rows: rows, whenEmpty: whenEmpty)
    }
}

extension ConsoleTable.Column {
    /// A column of a table only for a page.
    static func text(_ title: String) -> Self { Self("", title) }

    /// The same for numbers.
    static func number(_ title: String) -> Self { Self("", title, .number) }
}
