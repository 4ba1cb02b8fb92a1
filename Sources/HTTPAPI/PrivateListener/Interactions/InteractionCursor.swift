import Identifiers
import Interactions

/// A place in the feed of interactions, as clients keep it: `p` and the position of the last interaction that they
/// have, or `0` before the first. The id of an interaction is also accepted: lines of a stream have no other cursor,
/// and it was the only form before positions existed.
struct InteractionCursor: CustomStringConvertible {
    private static let start = "0"
    private static let prefix: Character = "p"
    /// Numbers have had 16 digits since 1987.
    private static let least: UInt64 = 1 << 60

    let after: InteractionPlace?

    init(after: InteractionPlace?) { self.after = after }

    init(_ text: String) throws(ListCursorError) {
        if text == Self.start {
            after = nil
        } else if text.first == Self.prefix {
            after = .position(InteractionPosition(try Self.number(String(text.dropFirst()))))
        } else {
            after = .interaction(InteractionID(try Self.number(text)))
        }
    }

    /// - Throws: also if the number is smaller than any that was ever given: then it is the cursor of another list.
    private static func number(_ text: String) throws(ListCursorError) -> TimeOrderedNumber {
        guard let number = try? TimeOrderedNumber(text), number.rawValue >= least else { throw ListCursorError() }
        return number
    }

    var description: String {
        switch after {
        case nil: Self.start
        case .position(let position): "\(Self.prefix)\(position)"
        case .interaction(let id): id.description
        }
    }
}
