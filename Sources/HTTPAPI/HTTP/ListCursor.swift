import Identifiers
import JSON

/// The prefixes of the cursors of lists. The id of the last item that the client has follows. So no list accepts the
/// cursor of another list.
enum ListCursor: String {
    case organizations = "o:"
    case keys = "k:"
    case messages = "m:"

    func text(after id: some CustomStringConvertible) -> String { "\(rawValue)\(id)" }

    /// The id in a cursor. The caller must check whether the list has such an item.
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
    var description: String { "is not a cursor of this list" }
}

extension Problem {
    /// The cursor `after` names an item that the list cannot have.
    static var foreignCursor: Problem {
        Problem(BodyProblems(JSONPointer.root.appending("after"), ListCursorError().description))
    }
}
