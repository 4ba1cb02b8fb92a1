extension String {
    /// The text with the code point of each character in its place that is not seen but changes what is seen, or makes
    /// the text another one: controls and marks of the direction of writing (UAX 9, 2), zero-width characters, soft
    /// hyphens and the like. With them one person's identifier would look like another's.
    ///
    /// Joiners are left between characters beyond ASCII: scripts and emoji need them there. So are variation selectors
    /// and tags, which are parts of the character before them.
    var withUnseenCharactersNamed: String {
        guard unicodeScalars.contains(where: { $0.isUnseen }) else { return self }
        let scalars = Array(unicodeScalars)
        var shown = ""
        for (place, scalar) in scalars.enumerated() {
            if scalar.isUnseen, !(scalar.isJoiner && Self.isWithinWord(place, of: scalars)) {
                shown += "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    private static func isWithinWord(_ place: Int, of scalars: [Unicode.Scalar]) -> Bool {
        guard scalars.indices.contains(place - 1), scalars.indices.contains(place + 1) else { return false }
        return [scalars[place - 1], scalars[place + 1]].allSatisfy { !$0.isASCII && !$0.isUnseen }
    }
}

extension Unicode.Scalar {
    fileprivate var isUnseen: Bool {
        guard value >= 0xAD, properties.isDefaultIgnorableCodePoint else { return false }
        return properties.generalCategory != .nonspacingMark && !("\u{E0020}"..."\u{E007F}" ~= self)
    }

    fileprivate var isJoiner: Bool { self == "\u{200C}" || self == "\u{200D}" }
}
