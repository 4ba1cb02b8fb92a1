import Consent
import Identifiers

/// A place among the requests that wait for a confirmation, as clients keep it: `c`, the place, a full stop and the id
/// of the request at that place, or `0` before the first. Earlier versions wrote no id.
struct ConfirmationCursor: FeedCursor {
    static let start = ConfirmationCursor(place: nil, request: nil)

    let place: TimeOrderedNumber?
    let request: ConsentRequestID?

    private init(place: TimeOrderedNumber?, request: ConsentRequestID?) {
        self.place = place
        self.request = request
    }

    init(after request: ConsentRequest) {
        self.init(place: request.confirmationPlace, request: request.id)
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
                place: try TimeOrderedNumber(String(parts[0])),
                request: parts.count > 1 ? try ConsentRequestID(String(parts[1])) : nil)
        } catch {
            throw CursorError()
        }
    }

    var description: String {
        guard let place else { return Self.startText }
        return "c\(place)" + (request.map { ".\($0)" } ?? "")
    }
}
