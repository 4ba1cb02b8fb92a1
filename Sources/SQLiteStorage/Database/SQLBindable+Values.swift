import Identifiers
import Interactions
import SQLiteFiles

extension Timestamp: SQLBindable {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        millisecondsSince1970.bind(to: statement, at: index)
    }
}

extension RecipientReference: SQLBindable {
    /// The same 64 bits, because SQLite has no unsigned numbers.
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(bitPattern: rawValue).bind(to: statement, at: index)
    }
}

extension SQLBindable where Self: EntityID {
    func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        Int64(rawValue).bind(to: statement, at: index)
    }
}

extension MessageID: SQLBindable {}
extension ConsentRecordID: SQLBindable {}
extension DecisionID: SQLBindable {}
extension ConsentRequestID: SQLBindable {}
extension InteractionID: SQLBindable {}
extension InteractionPosition: SQLBindable {}
