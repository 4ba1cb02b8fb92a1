import Foundation
import LocalFiles
import SystemPackage

/// A file with a secret that a setting names. Its group may read it: container volumes give secrets to a group, and
/// systemd's credentials to one user by an access control list, which shows as the group's mode.
package enum SettingSecret {
    /// - Returns: the text of a file, without line ends around it.
    /// - Throws: ``SettingError`` if other users may read the file, if it is empty, or if it is none.
    package static func text(in path: String, setting name: String) throws(SettingError) -> String {
        guard let text = String(validating: try bytes(in: path, setting: name), as: UTF8.self), !text.contains("\0")
        else { throw SettingError(name: name, expected: "must name a file of UTF-8 text without NUL") }
        let secret = text.trimmingCharacters(in: .newlines)
        guard !secret.isEmpty else { throw SettingError(name: name, expected: "must name a file that is not empty") }
        return secret
    }

    /// - Throws: ``SettingError`` if other users may read or change the file, or if it is none. A pipe is allowed, such
    ///   as a shell makes of `<(…)`.
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
