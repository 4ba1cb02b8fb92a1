import ASCII
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
