import JSON

/// Whether the placeholders in a message's texts are held to what can be replaced.
enum PlaceholderCheck {
    /// In what a backend writes.
    case on
    /// In what is stored: it was checked by the rules of its time.
    case off

    /// A text that reaches its reader as it is: it must have no placeholder.
    func plain<Value>(_ shape: JSONShape<Value>) -> JSONShape<Value> {
        checking(shape) { found in
            found.ranges.isEmpty && found.fault == nil
                ? nil
                : "must not have \(PreferencesPlaceholders.spelling): only html, text and the values of custom may"
        }
    }

    /// A text in which placeholders are replaced: each must be one that can be.
    func personal(_ shape: JSONShape<String>) -> JSONShape<String> {
        checking(shape) { $0.fault?.description }
    }

    /// The members of `custom`: a placeholder may stand in a value, and not in a key.
    func custom(_ values: JSONShape<String>) -> JSONShape<[(name: String, value: String)]> {
        let members = JSONShape.members(of: personal(values))
        guard case .on = self else { return members }
        return JSONShape { value, pointer throws(BodyProblems) in
            let read = try members.read(value, at: pointer)
            for member in read {
                let key = plain(JSONShape<String>.string)
                _ = try key.read(.string(member.name), at: pointer.appending(member.name))
            }
            return read
        }
    }

    /// - Parameter detail: says what is wrong with the placeholders of a text, if anything is.
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
