import Consent
import Identifiers

/// A position among the requests that wait for a confirmation, as clients keep it: `c` and the position, or `0` before
/// the first. A full stop and the id of a request may follow, as earlier versions wrote it; the id has no effect.
struct ConfirmationCursor: FeedCursor {
    static let start = ConfirmationCursor(position: nil)

    let position: TimeOrderedNumber?

    private init(position: TimeOrderedNumber?) { self.position = position }

    init(after request: ConsentRequest) { self.init(position: request.confirmationPosition) }

    init(_ text: String) throws(CursorError) {
        guard text != Self.startText else {
            self = .start
            return
        }
        guard text.utf8.first == UInt8(ascii: "c") else { throw CursorError() }
        let parts = text.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        do throws(IdentifierError) {
            if parts.count > 1 { _ = try ConsentRequestID(String(parts[1])) }
            self.init(position: try TimeOrderedNumber(String(parts[0])))
        } catch {
            throw CursorError()
        }
    }

    var description: String { position.map { "c\($0)" } ?? Self.startText }
}
