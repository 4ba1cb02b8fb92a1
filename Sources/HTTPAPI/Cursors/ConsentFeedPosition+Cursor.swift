import Consent

extension ConsentFeedPosition {
    /// The position that a client has kept; `nil` for the start.
    static func readCursor(_ text: String) throws(CursorError) -> ConsentFeedPosition? {
        do throws(ConsentFeedCursorError) {
            return try read(cursor: text)
        } catch {
            throw CursorError()
        }
    }
}
