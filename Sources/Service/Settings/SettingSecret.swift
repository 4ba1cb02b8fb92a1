import Foundation
import LocalFiles
import SystemPackage

/// A file with a secret that a setting names. Its group may read it: container volumes give secrets to a group, and
/// systemd's credentials to one user by an access control list, which shows as the group's mode.
package enum SettingSecret {
    /// In bytes. The keys of ten thousand organizations fit.
    private static let maximumLength = 1 << 20

    /// - Returns: the text of a file, without a byte order mark and without line ends around it.
    /// - Throws: ``SettingError`` if other users may read the file, if it is empty, or if it is none.
    package static func text(in path: String, setting name: String) throws(SettingError) -> String {
        let bytes = Array(try bytes(in: path, setting: name))
        guard let text = String(validating: FileContent.withoutByteOrderMark(bytes), as: UTF8.self),
            !text.contains("\0")
        else { throw SettingError(name: name, expected: "must name a file of UTF-8 text without NUL") }
        let secret = text.trimmingCharacters(in: .newlines)
        guard !secret.isEmpty else { throw SettingError(name: name, expected: "must name a file that is not empty") }
        return secret
    }

    /// - Throws: ``SettingError`` if other users may read or change the file, if it is too long, or if it is none. The
    ///   error does not have the path: an operator may have set the secret itself. A pipe is allowed, such as a shell
    ///   makes of `<(…)`.
    static func bytes(in path: String, setting name: String) throws(SettingError) -> Data {
        let status: FileStatus?
        do throws(Errno) { status = try FileStatus.find(path, followsLink: true) } catch {
            throw unreadable(name, error)
        }
        guard let status else { throw SettingError(name: name, expected: "must name a file that exists") }
        guard [.regular, .fifo].contains(status.type) else {
            throw SettingError(name: name, expected: "must name a file, not a folder or a device")
        }
        guard status.mode & 0o027 == 0 else {
            throw SettingError(name: name, expected: "must name a file that no other user can read: chmod 600")
        }
        do throws(FileContent.Fault) {
            return Data(try FileContent.whole(path, upTo: maximumLength))
        } catch {
            switch error {
            case .tooLong(let limit):
                throw SettingError(name: name, expected: "must name a file of at most \(limit) bytes")
            case .system(let error): throw unreadable(name, error)
            }
        }
    }

    private static func unreadable(_ name: String, _ error: Errno) -> SettingError {
        SettingError(name: name, expected: "must name a file that can be read: \(error)")
    }
}
