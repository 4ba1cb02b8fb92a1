extension String {
    /// Whether nothing of it is seen: it has only white space, and characters such as U+200B and U+202E, which only form
    /// the text around them.
    package var isBlank: Bool {
        unicodeScalars.allSatisfy { scalar in
            let properties = scalar.properties
            return properties.isWhitespace || properties.isDefaultIgnorableCodePoint
                || properties.generalCategory == .format
        }
    }
}
