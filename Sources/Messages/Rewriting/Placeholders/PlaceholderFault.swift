/// Why a placeholder cannot be replaced. A message with such a placeholder is refused: otherwise a person would read
/// it.
package struct PlaceholderFault: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// It is spelt differently from ``PreferencesPlaceholders``.
        case spelling
        /// A slash or a scheme is directly before it: `https://`, `mailto:`, an address that an editor completed.
        case scheme
        /// A character is directly after it that would become a part of the address.
        case continued
    }

    let kind: Kind
    /// The line of the text, from 1.
    let line: Int

    package var description: String {
        switch kind {
        case .spelling: "has on line \(line) a placeholder that is not written \(PreferencesPlaceholders.spelling)"
        case .scheme:
            "has on line \(line) a slash or a scheme before \(PreferencesPlaceholders.spelling), which becomes a whole "
                + "address"
        case .continued:
            "has on line \(line), directly after \(PreferencesPlaceholders.spelling), a character that would become a "
                + "part of the address"
        }
    }
}
