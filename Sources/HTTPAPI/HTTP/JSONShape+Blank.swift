import JSON

extension JSONShape where Value == String {
    /// The text of this shape, if it has at least one character that is no white space.
    var notBlank: JSONShape {
        JSONShape { value, pointer throws(BodyProblems) in
            let text = try self.read(value, at: pointer)
            guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
                throw BodyProblems(pointer, "must not be blank")
            }
            return text
        }
    }
}
