import Pages

/// A chart as pages show it: a caption that states the finding, the picture, and its numbers as a table.
///
/// A screen reader is told the finding, and that the numbers stand below.
enum ChartFigure {
    /// - Parameters:
    ///   - finding: in one sentence.
    ///   - content: the picture, which may have text in it.
    static func html(finding: String, content: HTML, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        let texts = FrameTexts.all[format.language]
        return """
            <figure>
            <figcaption>\(finding)</figcaption>
            \(content)
            <details><summary>\(texts.numbers)</summary>
            \(table.html(format))
            </details>
            </figure>
            """
    }
}
