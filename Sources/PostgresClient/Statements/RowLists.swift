import SQL

/// Rows that wait to be inserted with one statement: a list for each place.
struct RowLists: ~Copyable {
    private var columns: [Column] = []
    private var types: [UInt32] = []
    private(set) var count = 0

    struct Column {
        /// In the binary format of a list's elements: each preceded by its length, -1 for NULL.
        var elements: [UInt8] = []

        mutating func append(length: Int32) {
            withUnsafeBytes(of: length.bigEndian) { elements.append(contentsOf: $0) }
        }
    }

    var byteCount: Int { columns.reduce(0) { $0 + $1.elements.count } }

    /// - Throws: if the types of a row differ from those of the first row.
    mutating func add(_ row: borrowing BoundValues) throws {
        if count == 0 {
            types = row.types
            columns = types.map { _ in Column() }
        }
        guard row.types == types else { throw PostgresError(.values) }
        row.add(to: &columns)
        count += 1
    }

    /// Returns and removes all rows.
    mutating func take() throws -> BoundValues {
        var values = BoundValues()
        for (column, type) in zip(columns, types) { try values.append(list: column.elements, count: count, of: type) }
        for place in columns.indices { columns[place].elements.removeAll(keepingCapacity: true) }
        count = 0
        return values
    }
}

/// The SQL of an insert that takes lists.
enum ListInsert {
    /// `VALUES (?, ?)` becomes `SELECT * FROM unnest(?, ?)`. The rest stays.
    static func text(of sql: String) -> String {
        sql.replacing(/\bVALUES\s*\(([\s?,]+)\)/, maxReplacements: 1) { "SELECT * FROM unnest(\($0.output.1))" }
    }
}
