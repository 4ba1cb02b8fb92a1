import Cryptography
import GRDBSQLite
import Identifiers

/// What can stand in the place of a `?`.
protocol SQLBindable {
    /// - Returns: SQLite's result code.
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32
}

/// Tells SQLite to copy what it is given at once.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Int64: SQLBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 { sqlite3_bind_int64(statement, place, self) }
}

extension SQLBindable where Self: BinaryInteger {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        sqlite3_bind_int64(statement, place, Int64(self))
    }
}

extension Int: SQLBindable {}
extension UInt8: SQLBindable {}
extension UInt16: SQLBindable {}

extension Bool: SQLBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        sqlite3_bind_int64(statement, place, self ? 1 : 0)
    }
}

extension String: SQLBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        var text = self
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { bytes in
                // An empty buffer may have no address, and SQLite takes none for NULL.
                guard let address = bytes.baseAddress else { return sqlite3_bind_text(statement, place, "", 0, nil) }
                return sqlite3_bind_text(statement, place, address, Int32(bytes.count), transient)
            }
        }
    }
}

extension [UInt8]: SQLBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        withUnsafeBytes { bytes in
            guard let address = bytes.baseAddress else { return sqlite3_bind_zeroblob(statement, place, 0) }
            return sqlite3_bind_blob(statement, place, address, Int32(bytes.count), transient)
        }
    }
}

extension HMACSHA256.Tag: SQLBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        span.withUnsafeBytes { bindBytes($0, to: statement, at: place) }
    }
}

func bindBytes(_ bytes: UnsafeRawBufferPointer, to statement: OpaquePointer, at place: Int32) -> Int32 {
    sqlite3_bind_blob(statement, place, bytes.baseAddress, Int32(bytes.count), transient)
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        guard let self else { return sqlite3_bind_null(statement, place) }
        return self.bind(to: statement, at: place)
    }
}

extension Timestamp: SQLBindable {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        millisecondsSince1970.bind(to: statement, at: place)
    }
}

extension RecipientReference: SQLBindable {
    /// The same 64 bits, for SQLite has no unsigned numbers.
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        Int64(bitPattern: rawValue).bind(to: statement, at: place)
    }
}

extension SQLBindable where Self: EntityID {
    func bind(to statement: OpaquePointer, at place: Int32) -> Int32 {
        Int64(rawValue).bind(to: statement, at: place)
    }
}

extension MessageID: SQLBindable {}
extension ConsentRecordID: SQLBindable {}
extension DecisionID: SQLBindable {}
extension InteractionID: SQLBindable {}
