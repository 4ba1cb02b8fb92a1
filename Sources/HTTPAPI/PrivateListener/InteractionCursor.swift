import Identifiers
import Interactions

/// A place in the feed of interactions, as clients keep it: `p` and the position of the last interaction that they have,
/// or `0` before the first. The id of an interaction is one too: lines of a stream have no other cursor, and it was the
/// only form before there were positions.
struct InteractionCursor: CustomStringConvertible {
    private static let start = "0"
    private static let prefix: Character = "p"
    /// Numbers have had 16 digits since 1987.
    private static let leastID: UInt64 = 1 << 60

    let after: InteractionPlace?

    init(after: InteractionPlace?) { self.after = after }

    init(_ text: String) throws(IdentifierError) {
        if text == Self.start {
            after = nil
        } else if text.first == Self.prefix {
            let position = try InteractionPosition(String(text.dropFirst()))
            guard position.number.rawValue >= Self.leastID else { throw .number }
            after = .position(position)
        } else {
            let id = try InteractionID(text)
            // A smaller number was never given, and is the cursor of another list.
            guard id.rawValue >= Self.leastID else { throw .number }
            after = .interaction(id)
        }
    }

    var description: String {
        switch after {
        case nil: Self.start
        case .position(let position): "\(Self.prefix)\(position)"
        case .interaction(let id): id.description
        }
    }
}
