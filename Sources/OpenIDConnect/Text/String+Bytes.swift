import ASCII

extension StringProtocol {
    /// Whether both have the same bytes of UTF-8. `==` is not enough: it treats a Kelvin sign (U+212A) as the letter K.
    func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }

    /// Whether every character is one of U+0020 to U+007E (VSCHAR of RFC 6749, A).
    var isPrintable: Bool { utf8.allSatisfy(\.isPrintable) }

    /// Whether the text can be shown in one line unchanged: no control or format characters, which could reorder or
    /// hide the neighbouring text.
    var isPlainLine: Bool {
        unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
            default: true
            }
        }
    }
}
