extension String {
    /// The text with the code point of each control of the direction of writing in its place: the embeddings, overrides
    /// and isolates of Unicode's bidirectional algorithm (UAX 9, 2), and their ends. With them one person's identifier
    /// would look like another's.
    var withVisibleDirections: String {
        guard unicodeScalars.contains(where: { $0.isDirectionControl }) else { return self }
        var shown = ""
        for scalar in unicodeScalars {
            if scalar.isDirectionControl {
                shown += "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}

extension Unicode.Scalar {
    fileprivate var isDirectionControl: Bool { "\u{202A}"..."\u{202E}" ~= self || "\u{2066}"..."\u{2069}" ~= self }
}
