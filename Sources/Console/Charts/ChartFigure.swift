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

    /// - Parameters:
    ///   - picture: the content of an SVG element.
    ///   - size: of the picture, in its own units. It shrinks with the page, and its text too.
    static func html(
        finding: String, picture: HTML, size: (width: Int, height: Int), table: ConsoleTable, _ format: NumberFormat
    ) -> HTML {
        html(
            finding: finding,
            content: """
                <svg class="fit" viewBox="0 0 \(String(size.width)) \(String(size.height))" aria-hidden="true" \
                focusable="false">\(picture)</svg>
                """,
            table: table, format)
    }
}
