import Identifiers
import Interactions

/// A place in the feed of interactions, as clients keep it: `p` and the position of the last interaction that they
/// have, or `0` before the first. The id of an interaction is also accepted: lines of a stream have no other cursor,
/// and a client may keep one that an earlier version gave.
struct InteractionCursor: FeedCursor {
    /// The first number with 16 hexadecimal digits. Every number that carries a time after 1987 is greater.
    private static let least: UInt64 = 1 << 60

    let after: InteractionFeedCursor?

    init(after: InteractionFeedCursor?) { self.after = after }

    init(_ text: String) throws(CursorError) {
        if text == Self.startText {
            after = nil
        } else if let position = InteractionPosition(cursor: text) {
            after = .position(try Self.given(position))
        } else {
            after = .interaction(try Self.given(try? InteractionID(text)))
        }
    }

    /// - Throws: if the number is smaller than any that was ever given: then it is the cursor of another list.
    private static func given<ID: EntityID>(_ id: ID?) throws(CursorError) -> ID {
        guard let id, id.rawValue >= least else { throw CursorError() }
        return id
    }

    var description: String {
        switch after {
        case nil: Self.startText
        case .position(let position): position.cursor
        case .interaction(let id): id.description
        }
    }
}
