import JSON

extension JSONObject {
    /// The member, if it is a string.
    func text(_ name: String) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return text
    }
}
