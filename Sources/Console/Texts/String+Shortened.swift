extension String {
    /// The beginning of a long text for a page, with an ellipsis if more follows. The files of the page have all of it:
    /// so pages stay small even if programs sent long texts.
    /// - Parameter most: how much of the text is kept, in Unicode scalars.
    func shortened(to most: Int = 120) -> String {
        let kept = unicodeScalars.prefix(most)
        return kept.endIndex == unicodeScalars.endIndex ? self : String(kept) + "…"
    }
}
