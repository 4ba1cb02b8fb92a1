import Foundation
import SystemPackage

/// A file that a setting names, with a secret in it. Its group may read it: the volumes of containers give secrets to one.
enum SettingSecret {
    /// - Returns: the text of a file, without ends of lines around it.
    /// - Throws: ``SettingError`` for a file that others may read, that is empty, or that is none.
    static func text(in path: String, setting name: String) throws(SettingError) -> String {
        guard let text = String(validating: try bytes(in: path, setting: name), as: UTF8.self), !text.contains("\0")
        else { throw SettingError(name: name, expected: "must name a file that has text alone") }
        let secret = text.trimmingCharacters(in: .newlines)
        guard !secret.isEmpty else { throw SettingError(name: name, expected: "must name a file that is not empty") }
        return secret
    }

    /// - Throws: ``SettingError`` for a file that others may read or change, or that is none. A pipe is one, as a shell
    ///   makes it of `<(…)`.
    static func bytes(in path: String, setting name: String) throws(SettingError) -> Data {
        guard let status = FileStatus(following: path), [.regular, .fifo].contains(status.type) else {
            throw SettingError(name: name, expected: "must name a file")
        }
        guard status.mode & 0o027 == 0 else {
            throw SettingError(name: name, expected: "must name a file that no other user can read: chmod 600")
        }
        do throws(Errno) {
            return Data(try FileContent.read(path))
        } catch {
            throw SettingError(name: name, expected: "must name a file that can be read")
        }
    }
}
