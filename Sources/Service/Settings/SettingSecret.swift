import Foundation
import SystemPackage

/// A file that a setting names, with a secret in one line.
enum SettingSecret {
    /// - Returns: the text, without the end of its line.
    /// - Throws: ``SettingError`` for a file that others may read, that is empty, or that is none.
    static func text(in path: String, setting name: String) throws(SettingError) -> String {
        guard let status = FileStatus(following: path), status.type == .regular else {
            throw SettingError(name: name, expected: "must name a file")
        }
        guard status.mode & 0o077 == 0 else {
            throw SettingError(name: name, expected: "must name a file that no other user can read: chmod 600")
        }
        guard let bytes = FileManager.default.contents(atPath: path),
            let text = String(validating: bytes, as: UTF8.self), !text.contains("\0")
        else { throw SettingError(name: name, expected: "must name a file with the password as text") }
        let secret = text.trimmingCharacters(in: .newlines)
        guard !secret.isEmpty else { throw SettingError(name: name, expected: "must name a file that is not empty") }
        return secret
    }
}
