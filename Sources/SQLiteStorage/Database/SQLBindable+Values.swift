import Identifiers
import SQLiteFiles

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
