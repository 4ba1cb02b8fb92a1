/// A text that only its owner may read.
package enum PrivateText {
    /// - Returns: `nil` if there is no such file, if other users can read it, or if another user owns it.
    package static func read(_ path: String) -> String? {
        guard let bytes = try? SecretFile(path: path).read() else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}
