import Pages

/// A chart as pages show it: a caption that states the finding, the picture, and its numbers as a table.
///
/// A screen reader reads the finding, and that the numbers are below.
enum ChartFigure {
    /// - Parameters:
    ///   - finding: the finding, in one sentence.
    ///   - content: the picture, which may contain text.
    static func html(finding: String, content: HTML, table: ConsoleTable, _ format: NumberFormat) -> HTML {
        let texts = FrameTexts.all[format.language]
        return """
            <figure>
            <figcaption>\(finding.withUnseenCharactersNamed)</figcaption>
            \(content)
            <details><summary>\(texts.numbers)</summary>
            \(table.html(format))
            </details>
            </figure>
            """
    }
}
