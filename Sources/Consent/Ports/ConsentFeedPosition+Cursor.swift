import Identifiers

/// A position as clients keep it: `e`, the index of a ledger's entry, a full stop and the item's mark in hexadecimal;
/// or `r` and the id of a record that is older than the ledger. Earlier versions wrote no mark. ``start`` is the
/// position before the first item.
extension ConsentFeedPosition {
    package static let start = "0"

    package var cursor: String {
        switch self {
        case .entry(let index, let mark): "e\(index)" + (mark.map { ".\(String($0, radix: 16))" } ?? "")
        case .record(let id): "r\(id)"
        }
    }

    /// - Returns: `nil` for the start.
    package static func read(cursor: String) throws(ConsentFeedCursorError) -> ConsentFeedPosition? {
        let rest = String(cursor.dropFirst())
        switch cursor.first {
        case "0" where cursor == start: return nil
        case "e":
            let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            guard let index = UInt64(parts[0]), index < UInt64(Int64.max) else { throw ConsentFeedCursorError() }
            let position = ConsentFeedPosition.entry(index, mark: parts.count > 1 ? UInt64(parts[1], radix: 16) : nil)
            // Only the canonical spelling is accepted.
            guard position.cursor == cursor else { throw ConsentFeedCursorError() }
            return position
        case "r":
            guard let id = try? ConsentRecordID(rest) else { throw ConsentFeedCursorError() }
            return .record(id)
        default: throw ConsentFeedCursorError()
        }
    }
}
