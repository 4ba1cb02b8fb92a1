import Identifiers

/// A place as clients keep it: `e` and the index of a ledger's entry, or `r` and the id of a record that is older than
/// the ledger. ``start`` stands before the first item.
extension ConsentFeedPlace {
    package static let start = "0"

    package var cursor: String {
        switch self {
        case .entry(let index): "e\(index)"
        case .record(let id): "r\(id)"
        }
    }

    /// - Returns: `nil` for the start.
    package static func read(cursor: String) throws(ConsentFeedCursorError) -> ConsentFeedPlace? {
        let rest = String(cursor.dropFirst())
        switch cursor.first {
        case "0" where cursor == start: return nil
        case "e":
            guard let index = UInt64(rest), index < UInt64(Int64.max), String(index) == rest else {
                throw ConsentFeedCursorError()
            }
            return .entry(index)
        case "r":
            guard let id = try? ConsentRecordID(rest) else { throw ConsentFeedCursorError() }
            return .record(id)
        default: throw ConsentFeedCursorError()
        }
    }
}

/// The text is no place of the consent feed.
package struct ConsentFeedCursorError: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "is no cursor of this list" }
}
