/// The text of a setting, as it was given.
package enum SettingText {
    /// The settings that are lists, by name: their entries may have white space around them, and stand on lines of their
    /// own.
    package static let lists: Set = ["console-oidc-roles"]

    /// The fault of a text that no setting has on purpose: white space or quotation marks around it, or control
    /// characters in it; `nil` if it has none.
    ///
    /// Files of `docker run --env-file` keep quotation marks, and secrets of Kubernetes keep line ends. The path of a
    /// folder with one of them names another folder, in which a start would make a new, empty data folder.
    ///
    /// - Returns: for an error that names the setting first, and contains nothing of the text.
    package static func fault(in text: String) -> String? {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last else { return nil }
        if last.properties.isWhitespace {
            return "must not end with a space or a line end: it would be a part of the value"
        }
        if first.properties.isWhitespace { return "must not begin with a space or a line end" }
        if scalars.count > 1, isQuoted(first, last) {
            return "must be written without the quotation marks around it: they would be a part of the value"
        }
        // The category of the controls of ASCII and of Unicode, such as line ends.
        guard scalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
        return "must have no line ends and other control characters"
    }

    /// The same for the path of a folder.
    ///
    /// Shells replace `~` and variables, but not `~` behind `=` (`--data=~/data`), and files of settings replace
    /// neither. The folder would be made in the working folder, under that name.
    package static func fault(inFolder path: String) -> String? {
        if let fault = fault(in: path) { return fault }
        guard path.hasPrefix("~") || path.hasPrefix("$") else { return nil }
        return "must be the whole path: nothing replaces the \(path.prefix(1)) at its beginning"
    }

    private static func isQuoted(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> Bool {
        switch (first, last) {
        case ("\"", "\""), ("'", "'"), ("\u{201C}", "\u{201D}"), ("\u{2018}", "\u{2019}"): true
        default: false
        }
    }
}
