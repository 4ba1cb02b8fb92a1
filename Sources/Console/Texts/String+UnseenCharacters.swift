import ASCII

extension String {
    /// The text with the code point of each unseen character in its place. With such a character one person's identifier
    /// would look like another's.
    var withUnseenCharactersNamed: String {
        guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
        let scalars = Array(unicodeScalars)
        guard scalars.indices.contains(where: { scalars.isUnseen(at: $0) }) else { return self }
        var shown = ""
        for (place, scalar) in scalars.enumerated() {
            if scalars.isUnseen(at: place) {
                shown += "⟨U+\(String(scalar.value, radix: 16, uppercase: true))⟩"
            } else {
                shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }
}
