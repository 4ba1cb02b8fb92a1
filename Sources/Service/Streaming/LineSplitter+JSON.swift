import HTTPTypes
import JSON

extension LineSplitter.Line {
    /// The value that the line is.
    ///
    /// - Parameter limit: the bytes that a line may have, for the problem of one that has more.
    func json(limit: Int) throws -> JSONValue {
        switch self {
        case .text(let bytes): try JSONValue.parse(bytes)
        case .tooLong: throw Problem(.contentTooLarge, "The line is longer than \(limit) bytes.")
        }
    }
}
