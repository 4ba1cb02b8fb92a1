/// How far a list is read, page by page.
struct PagePosition: Sendable {
    /// The cursor to ask with; `nil` is the first page.
    private(set) var after: String?
    /// Whether the last page was the end of the list.
    private(set) var isAtEnd = false

    init(after: String? = nil) { self.after = after }

    /// Moves to the position after a page.
    ///
    /// - Parameters:
    ///   - cursor: the position after the page.
    ///   - isLast: whether there are no more.
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` if the page leads back to itself, because reading would
    ///   never end. The position is then unchanged.
    mutating func advance(to cursor: String?, isLast: Bool) throws(ConsentLinkError) {
        guard isLast || cursor != after else {
            throw .unexpectedAnswer("a list goes on with the page that it gave")
        }
        (after, isAtEnd) = (cursor, isLast)
    }
}
