/// A place in a feed, as clients keep it.
protocol FeedCursor: CustomStringConvertible {
    /// - Throws: if the text is not a cursor of this feed.
    init(_ text: String) throws(CursorError)
}

extension FeedCursor {
    /// The text of the place before the first item. The feed of consent has the same.
    static var startText: String { "0" }
}
