import JSON

/// The claim of an ID token that contains roles: `groups`, or a path with dots such as `realm_access.roles`.
///
/// A claim with the whole text as its name is tried first, so that `https://example.com/roles` can be named, too.
package struct RolesClaim: Equatable, Sendable {
    static let maximumDepth = 8
    static let maximumTextLength = 512
    static let maximumValueCount = 512
    static let maximumValueLength = 1024

    private let text: String
    private let names: [String]

    /// - Parameter text: at most 512 bytes in one line; 1 to 8 names with dots between them, none of them empty.
    package init(_ text: String) throws(ProviderSettingsError) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard text.utf8.count <= Self.maximumTextLength, text.isPlainLine, names.count <= Self.maximumDepth,
            names.allSatisfy({ !$0.isEmpty })
        else { throw .rolesClaim }
        self.text = text
        self.names = names
    }

    /// The values in `claims`; empty if there is no such claim.
    ///
    /// - Returns: `nil` if the claim is neither a string nor an array of strings, or has too many or too long ones.
    func values(in claims: JSONObject) -> [String]? {
        guard let found = claims[text] ?? found(in: claims), found != .null else { return [] }
        switch found {
        case .string(let value): return value.utf8.count <= Self.maximumValueLength ? [value] : nil
        case .array(let elements):
            guard elements.count <= Self.maximumValueCount else { return nil }
            var values: [String] = []
            for element in elements {
                guard case .string(let value) = element, value.utf8.count <= Self.maximumValueLength else { return nil }
                values.append(value)
            }
            return values
        case .null, .bool, .number, .object: return nil
        }
    }

    private func found(in claims: JSONObject) -> JSONValue? {
        var value = JSONValue.object(claims)
        for name in names {
            guard case .object(let object) = value, let next = object[name] else { return nil }
            value = next
        }
        return value
    }
}
