import GRDBSQLite

/// A value that can take the place of a `?`.
@usableFromInline
package protocol SQLBindable {
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32
}

/// Tells SQLite to copy what it is given at once.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: SQLBindable {
    @usableFromInline
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self)
    }
}

extension SQLBindable where Self: BinaryInteger {
    @inlinable
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(self).bind(to: statement, at: index)
    }
}

extension Int: SQLBindable {}
extension UInt8: SQLBindable {}
extension UInt16: SQLBindable {}

extension Bool: SQLBindable {
    @usableFromInline
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        sqlite3_bind_int64(statement, index, self ? 1 : 0)
    }
}

extension String: SQLBindable {
    @usableFromInline
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                // An empty buffer may have no address, and SQLite would read a missing address as NULL.
                guard let address = bytes.baseAddress else { return sqlite3_bind_text(statement, index, "", 0, nil) }
                return sqlite3_bind_text(statement, index, address, Int32(bytes.count), transient)
            }
        }
    }
}

extension [UInt8]: SQLBindable {
    @usableFromInline
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, index, 0) }
            return sqlite3_bind_blob(statement, index, address, Int32(bytes.count), transient)
        }
    }
}

extension InlineArray: SQLBindable where Element == UInt8 {
    @inlinable
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        span.withUnsafeBytes { bindBytes($0, to: statement, at: index) }
    }
}

@usableFromInline
func bindBytes(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at index: Int32) -> Int32 {
    sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(bytes.count), transient)
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    @inlinable
    package func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        guard let self else { return bindNull(to: statement, at: index) }
        return self.bind(to: statement, at: index)
    }
}

@usableFromInline
func bindNull(to statement: OpaquePointer, at index: Int32) -> Int32 { sqlite3_bind_null(statement, index) }
