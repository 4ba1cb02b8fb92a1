/// How far a list is read, page by page.
struct PagePlace: Sendable {
    /// The cursor to ask with; `nil` is the first page.
    private(set) var after: String?
    /// Whether there were no more when the last page was read.
    private(set) var isAtEnd = false

    init(after: String? = nil) { self.after = after }

    /// Goes behind a page.
    ///
    /// - Parameters:
    ///   - cursor: the place behind the page.
    ///   - isLast: whether there are no more.
    /// - Throws: ``ConsentLinkError/unexpectedAnswer(_:)`` for a page that leads back to itself, with which reading would
    ///   never end. The place is then what it was.
    mutating func advance(to cursor: String?, isLast: Bool) throws(ConsentLinkError) {
        guard isLast || cursor != after else {
            throw .unexpectedAnswer("a list goes on with the page that it gave")
        }
        (after, isAtEnd) = (cursor, isLast)
    }
}
