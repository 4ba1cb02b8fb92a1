/// Finds the place of the image whose request counts as an opening: before the end tag of the body, or at the end if
/// there is none, but before markup in which the image would not be fetched, or would end the markup.
struct PixelPlace {
    /// The first `noscript` that is not ended so far. A program that runs scripts reads all behind it as text.
    private var noscript: Int?
    /// The tag, comment or raw text in which the document ends.
    private var unfinished: Int?
    /// The outermost `svg`, `math`, `select` or `template` that may be open at the end.
    private var enclosing: Int?

    mutating func take(_ tag: HTMLTag) {
        guard tag.element == .noscript else { return }
        if tag.isEnd {
            noscript = nil
        } else if noscript == nil {
            noscript = tag.name.lowerBound - 1
        }
    }

    /// The document ends.
    mutating func end(_ markup: HTMLMarkup, in open: OpenElements) {
        unfinished = markup.unfinished
        enclosing = open.outermostEnclosing
    }

    /// - Parameters:
    ///   - endOfBody: the place of the body's end tag. A parser ignores that tag in a `select` or `template`, and it
    ///     ends drawings, so nothing encloses it.
    ///   - end: the end of the document.
    func place(endOfBody: Int?, end: Int) -> Int {
        let places = [endOfBody ?? end, noscript, unfinished, endOfBody == nil ? enclosing : nil]
        return places.compactMap { $0 }.min() ?? end
    }
}
