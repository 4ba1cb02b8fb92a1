import JSON

/// Recipients as lines: a JSON string each.
struct RecipientLines {
    /// Lines that are given to the window at once. Each giving costs as much as several lines do.
    private static let linesAtOnce = 256

    /// Gives all of a sequence that is there.
    static func give(_ recipients: some Sequence<String>, to window: LineWindow) async throws {
        var batch = LineBatch()
        for recipient in recipients {
            batch.appendLine { $0.appendJSONString(recipient) }
            guard batch.count == linesAtOnce else { continue }
            try await window.give(batch)
            batch = LineBatch()
        }
        if !batch.isEmpty { try await window.give(batch) }
    }

    /// Gives each as it comes.
    static func give<Recipients: AsyncSequence>(
        _ recipients: Recipients, to window: LineWindow
    ) async throws where Recipients.Element == String {
        for try await recipient in recipients {
            var line = LineBatch()
            line.appendLine { $0.appendJSONString(recipient) }
            try await window.give(line)
        }
    }
}
