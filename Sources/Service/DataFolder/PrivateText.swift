/// A text that only its owner may read.
package enum PrivateText {
    /// - Returns: `nil` when there is no such file, and for one that others can read or that another user owns.
    package static func read(_ path: String) -> String? {
        guard let bytes = try? SecretFile(path: path).read() else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
