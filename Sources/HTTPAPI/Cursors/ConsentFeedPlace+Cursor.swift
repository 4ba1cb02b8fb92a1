import Consent

extension ConsentFeedPlace {
    /// The place that a client has kept; `nil` for the start.
    static func readCursor(_ text: String) throws(CursorError) -> ConsentFeedPlace? {
        do throws(ConsentFeedCursorError) {
            return try read(cursor: text)
        } catch {
            throw CursorError()
        }
    }
}
