import JSON

extension JSONShape where Value == String {
    /// The text of this shape, if it is not blank.
    var notBlank: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try self.read(value, at: pointer)
            guard !text.isBlank else { throw BodyProblems(pointer, "must not be blank") }
            return text
        }
    }
}

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
