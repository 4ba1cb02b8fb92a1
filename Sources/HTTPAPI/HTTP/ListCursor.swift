import Identifiers
import JSON

/// What the cursors of a list begin with; the id of the last item that a client has follows. So no list takes the cursor
/// of another one for its own.
enum ListCursor: String {
    case organizations = "o:"
    case keys = "k:"
    case messages = "m:"

    func text(after id: some CustomStringConvertible) -> String { "\(rawValue)\(id)" }

    /// The id in a cursor. Whether the list has such an item is for the caller to ask.
    func read<ID>(
        _ text: String, _ make: (String) throws(IdentifierError) -> ID
    ) throws(ListCursorError) -> ID {
        guard text.utf8.starts(with: rawValue.utf8) else { throw ListCursorError() }
        do throws(IdentifierError) {
            return try make(String(decoding: text.utf8.dropFirst(rawValue.utf8.count), as: UTF8.self))
        } catch {
            throw ListCursorError()
        }
    }
}

struct ListCursorError: Error, CustomStringConvertible {
    var description: String { "is no cursor of this list" }
}

extension Problem {
    /// The list cannot have an item that the cursor `after` names.
    static var foreignCursor: Problem {
        Problem(BodyProblems(JSONPointer.root.appending("after"), ListCursorError().description))
    }
}
