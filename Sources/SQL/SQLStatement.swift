/// A prepared statement of one connection.
///
/// Values are passed to the engine directly: in an embedded engine, a look-up or an insert of a single decision takes
/// little more than a microsecond, and boxing its arguments would double that. A closure that is called for rows must
/// not run the same statement again.
///
/// Generic functions are inlinable, because the stores are in other targets: a generic function of another target gets
/// its arguments boxed unless the caller sees its body.
@usableFromInline
package struct SQLStatement {
    @usableFromInline package let prepared: any PreparedStatement

    package init(_ prepared: any PreparedStatement) { self.prepared = prepared }

    /// Runs the statement with `values` for its question marks. See ``PreparedStatement/execute()`` for when it is
    /// done.
    @inlinable
    package func run<each Value: SQLBindable>(_ values: repeat each Value) throws {
        defer { prepared.reset() }
        try bind(repeat each values)
        try prepared.execute()
    }

    /// Runs the statement and waits for it.
    /// - Returns: the number of rows that it changed.
    @inlinable
    package func changes<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int {
        defer { prepared.reset() }
        try bind(repeat each values)
        return try prepared.executeCounting()
    }

    /// Runs an insert of one row that ends in ``SQLDialect/returningNumber``.
    /// - Returns: the row's number; `nil` if it was not inserted, because of `ON CONFLICT`.
    @inlinable
    package func newNumberUnlessThere<each Value: SQLBindable>(_ values: repeat each Value) throws -> Int64? {
        defer { prepared.reset() }
        try bind(repeat each values)
        return try prepared.executeNumbering()
    }

    /// The result of `read` for the first row; `nil` if there is none.
    /// - Throws: `StorageError.unreadable` if it read a value of another type than its column was made with; so do the
    ///   other functions that read rows.
    @inlinable
    package func first<Result, each Value: SQLBindable>(
        _ values: repeat each Value,
        read: (SQLRow) throws -> Result
    ) throws -> Result? {
        defer { prepared.reset() }
        try bind(repeat each values)
        guard try prepared.step() else { return nil }
        let result = try read(SQLRow(prepared))
        try prepared.requireReadable()
        return result
    }

    /// The results of `read` for all rows.
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

    /// Calls `visit` with each row until it returns `false`.
    @inlinable
    package func forEach<each Value: SQLBindable>(
        _ values: repeat each Value,
        visit: (SQLRow) throws -> Bool
    ) throws {
        defer { prepared.reset() }
        try bind(repeat each values)
        let row = SQLRow(prepared)
        while try prepared.step() {
            let goesOn = try visit(row)
            try prepared.requireReadable()
            guard goesOn else { return }
        }
    }

    /// - Throws: `StorageError` if there are more or fewer values than places.
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
