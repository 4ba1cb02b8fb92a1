/// The characters that a text may contain.
package enum TextCharacters: Sendable {
    /// All except NUL, which many programs read as the end of a string.
    case allButNUL
    /// No control characters at all.
    case oneLine
}
