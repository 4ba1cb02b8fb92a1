extension Array<Unicode.Scalar> {
    /// Whether the character at `place` is not seen but changes what is seen, or makes the text another one: controls and
    /// marks of the direction of writing (UAX 9, 2), zero-width characters, soft hyphens and the like.
    ///
    /// A joiner between characters beyond ASCII is none, because scripts and emoji need it there. Neither is a variation
    /// selector or a tag that chooses the form of the character before it. After any other character it changes nothing
    /// that is seen.
    package func isUnseen(at place: Int) -> Bool {
        let scalar = self[place]
        guard scalar.isIgnorable else { return false }
        switch scalar {
        case "\u{200C}", "\u{200D}": return !isOfWord(place - 1) || !isOfWord(place + 1)
        case "\u{E0020}"..."\u{E007F}": return !isTagOfFlag(place)
        default: return place == 0 || !scalar.choosesForm(of: self[place - 1])
        }
    }

    private func isOfWord(_ place: Int) -> Bool {
        guard indices.contains(place), !self[place].isASCII else { return false }
        return !self[place].isIgnorable || self[place].properties.isVariationSelector
    }

    /// Whether only tags are between a black flag and this tag: the flag of a region has seven at most.
    private func isTagOfFlag(_ place: Int) -> Bool {
        let before = self[Swift.max(0, place - 7)..<place]
        return before.last { !("\u{E0020}"..."\u{E007F}" ~= $0) } == "\u{1F3F4}"
    }
}

extension Unicode.Scalar {
    fileprivate var isIgnorable: Bool { value >= 0xAD && properties.isDefaultIgnorableCodePoint }

    /// Whether it is a variation selector for characters such as `base`.
    fileprivate func choosesForm(of base: Unicode.Scalar) -> Bool {
        switch value {
        case 0x180B...0x180D, 0x180F: 0x1800...0x18AF ~= base.value
        case 0xFE00...0xFE0D, 0xE0100...0xE01EF: base.properties.isIdeographic
        case 0xFE0E, 0xFE0F: base.properties.isEmoji
        default: false
        }
    }
}
