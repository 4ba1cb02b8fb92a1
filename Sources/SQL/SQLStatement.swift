/// A prepared statement of one connection.
///
/// Values go straight to the engine: a look-up or an insert of a single decision takes little more than a microsecond in
/// an embedded one, and boxing its arguments would double that. Code that a statement calls for its rows must not start
/// the same statement again.
///
/// Generic functions are inlinable: the stores are in other targets, and a generic function of another target takes its
/// arguments boxed unless the caller sees its body.
@usableFromInline
package struct SQLStatement {
    @usableFromInline package let prepared: any PreparedStatement

    package init(_ prepared: any PreparedStatement) { self.prepared = prepared }

    /// Runs the statement with `values` in the places of its question marks. See ``PreparedStatement/execute()`` for when
    /// it is done.
    @inlinable
    package func run<each Value: SQLBindable>(_ values: repeat each Value) throws {
        defer { prepared.reset() }
        try bind(repeat each values)
        try prepared.execute()
    }

    /// Runs the statement and waits for it.
    /// - Returns: how many rows it changed.
    @inlinable
    package func changes<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int {
        defer { prepared.reset() }
        try bind(repeat each values)
        return try prepared.executeCounting()
    }

    /// Runs an insert of one row that ends in ``SQLDialect/returningNumber``.
    /// - Returns: the row's number; `nil` when it was not inserted, `ON CONFLICT`.
    @inlinable
    package func newNumberUnlessThere<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int64? {
        defer { prepared.reset() }
        try bind(repeat each values)
        return try prepared.executeNumbering()
    }

    /// What `read` makes of the first row; `nil` when there is none.
    @inlinable
    package func first<Result, each Value: SQLBindable>(
        _ values: repeat each Value,
        read: (SQLRow) throws -> Result
    ) throws -> Result? {
        defer { prepared.reset() }
        try bind(repeat each values)
        return try prepared.step() ? try read(SQLRow(prepared)) : nil
    }

    /// What `read` makes of each row.
    @inlinable
    package func all<Result, each Value: SQLBindable>(
        _ values: repeat each Value,
        read: (SQLRow) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try forEach(repeat each values) { row in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// Calls `visit` with row after row until it returns `false`.
    @inlinable
    package func forEach<each Value: SQLBindable>(
        _ values: repeat each Value,
        visit: (SQLRow) throws -> Bool
    ) throws {
        defer { prepared.reset() }
        try bind(repeat each values)
        let row = SQLRow(prepared)
        while try prepared.step() {
            guard try visit(row) else { return }
        }
    }

    /// - Throws: `StorageError` for more or fewer values than there are places.
    @inlinable
    func bind<each Value: SQLBindable>(_ values: repeat each Value) throws {
        var place: Int32 = 0
        for value in repeat each values {
            place += 1
            try value.bind(to: prepared, at: place)
        }
        try prepared.requireAllBound(place)
    }
}
