import JSON

/// Writes elements as lines and gives them to a window, as fast as the window has room.
struct LineSource<Element: Sendable>: Sendable {
    /// How many lines, and bytes of them, are given to the window at once. Each call costs as much as several lines.
    private static var linesAtOnce: Int { 256 }
    private static var bytesAtOnce: Int { 64 << 10 }

    /// Appends an element as a line without its line feed.
    let write: @Sendable (Element, inout [UInt8]) throws -> Void

    /// Gives all elements of a sequence that is in memory.
    func give(_ elements: some Sequence<Element>, to window: LineWindow) async throws {
        var batch = LineBatch()
        for element in elements {
            try batch.appendLine { try write(element, &$0) }
            guard batch.count == Self.linesAtOnce || batch.byteCount >= Self.bytesAtOnce else { continue }
            try await window.give(batch)
            batch = LineBatch()
        }
        if !batch.isEmpty { try await window.give(batch) }
    }

    /// Gives each element as it arrives.
    func give<Elements: AsyncSequence>(
        _ elements: Elements, to window: LineWindow
    ) async throws where Elements.Element == Element {
        for try await element in elements {
            var line = LineBatch()
            try line.appendLine { try write(element, &$0) }
            try await window.give(line)
        }
    }
}

extension LineSource where Element == String {
    /// Writes each recipient as a JSON string.
    static var recipients: LineSource { LineSource { recipient, line in line.appendJSONString(recipient) } }
}
