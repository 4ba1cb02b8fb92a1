import JSON

/// Whether the placeholders in a message's texts are checked.
enum PlaceholderCheck {
    /// For a message from a backend.
    case on
    /// For a stored message: it was checked by the rules of its time.
    case off

    /// A text that is sent unchanged: it must have no placeholder.
    func plain<Value>(_ shape: JSONShape<Value>) -> JSONShape<Value> {
        checking(shape) { found in
            found.ranges.isEmpty && found.fault == nil
                ? nil
                : "must not have \(PreferencesPlaceholders.spelling): only html, text and the values of custom may"
        }
    }

    /// A text in which placeholders are replaced: each must be a valid one.
    func personal(_ shape: JSONShape<String>) -> JSONShape<String> {
        checking(shape) { $0.fault?.description }
    }

    /// The members of `custom`: a placeholder may be in a value, but not in a key. A key has no NUL: an app that reads it
    /// as the end of a string finds another key.
    func custom(_ values: JSONShape<String>) -> JSONShape<[(name: String, value: String)]> {
        let members = JSONShape.members(of: personal(values))
        guard case .on = self else { return members }
        return JSONShape { value, pointer throws(BodyProblems) in
            let read = try members.read(value, at: pointer)
            for member in read {
                let key = plain(JSONShape.text(length: 0...Int.max))
                _ = try key.read(.string(member.name), at: pointer.appending(member.name))
            }
            return read
        }
    }

    /// - Parameter detail: returns the fault of a text's placeholders, if there is one.
    private func checking<Value>(
        _ shape: JSONShape<Value>, _ detail: @escaping (PreferencesPlaceholders) -> String?
    ) -> JSONShape<Value> {
        guard case .on = self else { return shape }
        return JSONShape { value, pointer throws(BodyProblems) in
            let read = try shape.read(value, at: pointer)
            if case .string(let text) = value, let detail = detail(PreferencesPlaceholders(text)) {
                throw BodyProblems(pointer, detail)
            }
            return read
        }
    }
}
