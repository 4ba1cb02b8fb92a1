import Hummingbird
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

extension EntityID {
    /// The id in a cursor that is an id alone. The caller must check whether the list has such an item.
    static func readCursor(_ text: String) throws(ListCursorError) -> Self {
        do throws(IdentifierError) {
            return try Self(text)
        } catch {
            throw ListCursorError()
        }
    }
}

extension Problem {
    /// The cursor `after` of the request names an item that the list cannot have. It stands in the body of a POST, and
    /// in the query of any other request.
    static func foreignCursor(
        in request: Request, _ detail: String = ListCursorError().description
    ) -> Problem {
        guard request.method == .post else { return Problem(query: "after", detail) }
        return Problem(BodyProblems(JSONPointer.root.appending("after"), detail))
    }
}
