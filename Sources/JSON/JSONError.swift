/// Why bytes were not read as JSON, or a value not written as canonical JSON.
///
/// Its description may be shown to unknown clients: it contains places and names of members, no other content.
package enum JSONError: Error, Equatable, CustomStringConvertible {
    /// Bytes that RFC 8259 does not allow; `offset` counts bytes from 0.
    case malformed(offset: Int, Malformation)
    /// A string that is not UTF-8; `offset` is the beginning of the invalid sequence.
    case notUTF8(offset: Int)
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
    /// The pointer is that of the second member, and also of the first.
    case duplicateMember(JSONPointer)
    /// RFC 8785 is implemented for integers up to 2^53 - 1, which every reader of JSON reads exactly.
    case numberNotCanonical

    package enum Malformation: String, Sendable {
        case empty = "there is nothing"
        case byteOrderMark = "a byte order mark is not allowed"
        case unexpectedEnd = "the text ends too early"
        case valueExpected = "a value was expected"
        case nameExpected = "a member's name in quotes was expected"
        case colonExpected = "a colon was expected"
        case commaOrEndExpected = "a comma or the closing bracket was expected"
        case trailingBytes = "something follows the value"
        case controlCharacter = "a control character must be escaped"
        case badEscape = "there is no such escape"
        case loneSurrogate = "a surrogate stands alone"
        case leadingZero = "a number must not begin with a needless zero"
        case digitExpected = "a digit was expected"
    }

    package var description: String {
        switch self {
        case .malformed(let offset, let what): "not JSON: \(what.rawValue), at byte \(offset)"
        case .notUTF8(let offset): "not UTF-8, at byte \(offset)"
        case .tooDeep(let limit): "more than \(limit) arrays and objects are nested in each other"
        case .tooManyValues(let limit): "more than \(limit) values"
        case .duplicateMember(let pointer): "duplicate member \(pointer)"
        case .numberNotCanonical: "canonical JSON holds only integers up to 2^53 - 1"
        }
    }
}
