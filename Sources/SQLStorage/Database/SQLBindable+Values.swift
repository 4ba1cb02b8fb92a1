import Identifiers
import Interactions
import SQL

extension Timestamp: SQLBindable {
    static var sqlType: SQLType { .integer }

    func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try millisecondsSince1970.bind(to: statement, at: place)
    }
}

extension RecipientReference: SQLBindable {
    static var sqlType: SQLType { .integer }

    /// Stores the same 64 bits as a signed integer, because databases have no unsigned ones.
    func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try Int64(bitPattern: rawValue).bind(to: statement, at: place)
    }
}

extension SQLBindable where Self: EntityID {
    static var sqlType: SQLType { .integer }

    func bind(to statement: any PreparedStatement, at place: Int32) throws {
        try Int64(rawValue).bind(to: statement, at: place)
    }
}

extension MessageID: SQLBindable {}
extension ConsentRecordID: SQLBindable {}
extension DecisionID: SQLBindable {}
extension ConsentRequestID: SQLBindable {}
extension EndpointID: SQLBindable {}
extension AccessID: SQLBindable {}
extension InteractionID: SQLBindable {}
extension InteractionPosition: SQLBindable {}
