extension String {
    /// The beginning of a long text that a page shows, with an ellipsis where more follows. The files of the page have all
    /// of it: pages stay small, however long the texts are that programs sent.
    /// - Parameter most: of the text that is kept, in Unicode scalars.
    func shortened(to most: Int = 120) -> String {
        let kept = unicodeScalars.prefix(most)
        return kept.endIndex == unicodeScalars.endIndex ? self : String(kept) + "…"
    }
}
