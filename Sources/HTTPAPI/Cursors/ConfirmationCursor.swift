import Consent
import Identifiers

/// A position among the requests that wait for a confirmation, as clients keep it: `c`, the position, a full stop and
/// the id of the request at that position, or `0` before the first. Earlier versions wrote no id.
struct ConfirmationCursor: FeedCursor {
    static let start = ConfirmationCursor(position: nil, request: nil)

    let position: TimeOrderedNumber?
    let request: ConsentRequestID?

    private init(position: TimeOrderedNumber?, request: ConsentRequestID?) {
        self.position = position
        self.request = request
    }

    init(after request: ConsentRequest) {
        self.init(position: request.confirmationPosition, request: request.id)
    }

    init(_ text: String) throws(CursorError) {
        guard text != Self.startText else {
            self = .start
            return
        }
        guard text.utf8.first == UInt8(ascii: "c") else { throw CursorError() }
        let parts = text.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        do throws(IdentifierError) {
            self.init(
                position: try TimeOrderedNumber(String(parts[0])),
                request: parts.count > 1 ? try ConsentRequestID(String(parts[1])) : nil)
        } catch {
            throw CursorError()
        }
    }

    var description: String {
        guard let position else { return Self.startText }
        return "c\(position)" + (request.map { ".\($0)" } ?? "")
    }
}
