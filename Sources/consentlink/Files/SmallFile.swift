import Foundation
import Glibc

/// A file of a few bytes that is written whole, such as a journal.
enum SmallFile {
    /// Durable on return, and there is the old one or the new one at any moment.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let isWritten = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) } == bytes.count
        let isDurable = isWritten && fsync(descriptor) == 0
        close(descriptor)
        guard isDurable, rename(temporary, path) == 0 else { throw failure(path) }
        let folder = open(path.contains("/") ? (path as NSString).deletingLastPathComponent : ".", O_RDONLY)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    /// - Returns: `nil` when there is none; nothing of one that cannot be read or is longer than `limit`.
    static func read(_ path: String, upTo limit: Int) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= limit else { return [] }
        return [UInt8](bytes)
    }

    private static func failure(_ path: String) -> CommandFailure {
        CommandFailure("consentlink: cannot write \(path.shown): \(String(cString: strerror(errno)))")
    }
}
