import Pages

/// A chart as pages show it: a caption that states the finding, the picture, and its numbers as a table.
///
/// A screen reader is told the finding, and that the numbers stand below.
enum ChartFigure {
    /// - Parameters:
    ///   - finding: in one sentence.
    ///   - picture: the content of the SVG element.
    ///   - size: of the picture, in its own units.
    static func html(
        finding: String, picture: HTML, size: (width: Int, height: Int), table: ConsoleTable, _ format: NumberFormat
    ) -> HTML {
        let texts = FrameTexts.all[format.language]
        return """
            <figure>
            <figcaption>\(finding)</figcaption>
            <svg viewBox="0 0 \(String(size.width)) \(String(size.height))" role="img" aria-label="\(finding)">\
            \(picture)</svg>
            <details><summary>\(texts.numbers)</summary>
            \(table.html(format))
            </details>
            </figure>
            """
    }
}
