import Hummingbird
import JSON

/// The text is not a cursor that this list or feed has given.
struct CursorError: Error, CustomStringConvertible {
    var description: String { "is not a cursor of this list" }
}

extension Problem {
    /// The cursor `after` of the request names an item that the list cannot have. It stands in the body of a POST, and
    /// in the query of any other request.
    static func foreignCursor(in request: Request, _ detail: String = CursorError().description) -> Problem {
        guard request.method == .post else { return Problem(query: "after", detail) }
        return Problem(BodyProblems(JSONPointer.root.appending("after"), detail))
    }
}
