import SQL

/// A value on its way from one engine to another.
enum CopiedValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case personal(String)

    init(_ row: SQLRow, _ column: Int32, _ type: SQLType) throws {
        if row.isNull(column) {
            self = .null
            return
        }
        switch type {
        case .integer: self = .integer(row.integer(column))
        case .text: self = .text(row.text(column))
        case .bytes: self = .bytes(row.bytes(column))
        case .personal: self = try row.personalText(column).map(Self.personal) ?? .null
        }
    }

    func bind(to statement: any PreparedStatement, at place: Int32, as type: SQLType) throws {
        switch self {
        case .null: try statement.bindNull(as: type, at: place)
        case .integer(let value): try value.bind(to: statement, at: place)
        case .text(let value): try value.bind(to: statement, at: place)
        case .bytes(let value): try value.bind(to: statement, at: place)
        case .personal(let value): try PersonalText(value).bind(to: statement, at: place)
        }
    }
}

/// Some rows of a table, in the order of their keys.
struct CopiedRows: Sendable {
    /// The values of all rows, one row after another.
    private(set) var values: [CopiedValue] = []
    private let width: Int

    /// - Parameter last: the key of the row before the first; `nil` begins at the start of the table.
    init(of table: CopiedTable, after last: [CopiedValue]?, _ db: any SQLConnection) throws {
        width = table.columns.count
        let prepared = try db.statement(table.selection(isFirst: last == nil)).prepared
        defer { prepared.reset() }
        try Self.bind(last ?? [], types: table.key.map { table.columns[$0].type }, to: prepared)
        let row = SQLRow(prepared)
        while try prepared.step() {
            for (place, column) in table.columns.enumerated() {
                values.append(try CopiedValue(row, Int32(place), column.type))
            }
        }
    }

    var count: Int { values.count / width }

    func lastKey(_ table: CopiedTable) -> [CopiedValue]? {
        guard !values.isEmpty else { return nil }
        return table.key.map { values[values.count - width + $0] }
    }

    /// - Parameter volume: returns the volume of the next row, if the table has volumes.
    func insert(into table: CopiedTable, _ db: any SQLConnection, volume: () -> Int64) throws {
        let rows = try db.rows(table.insertion)
        let prepared = rows.statement.prepared
        for start in stride(from: 0, to: values.count, by: width) {
            defer { prepared.reset() }
            for (place, column) in table.columns.enumerated() {
                let value = place == table.volume ? .integer(volume()) : values[start + place]
                try value.bind(to: prepared, at: Int32(place + 1), as: column.type)
            }
            try prepared.requireAllBound(Int32(width))
            try prepared.addRow()
        }
        try rows.finish()
    }

    /// The greatest key of a table; `nil` if the table is empty.
    static func lastKey(of table: CopiedTable, _ db: any SQLConnection) throws -> [CopiedValue]? {
        let prepared = try db.statement(table.lastKey).prepared
        defer { prepared.reset() }
        try bind([], types: [], to: prepared)
        guard try prepared.step() else { return nil }
        let row = SQLRow(prepared)
        return try table.key.enumerated().map { place, column in
            try CopiedValue(row, Int32(place), table.columns[column].type)
        }
    }

    private static func bind(_ values: [CopiedValue], types: [SQLType], to prepared: any PreparedStatement) throws {
        for (place, (value, type)) in zip(values, types).enumerated() {
            try value.bind(to: prepared, at: Int32(place + 1), as: type)
        }
        try prepared.requireAllBound(Int32(values.count))
    }
}
