import Foundation
import Glibc
import Service

/// A file of a few bytes that is written whole, such as a journal.
enum SmallFile {
    /// Durable on return. At any moment there is the old file or the new one.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        // An incomplete file of a killed process is replaced; a link is not followed.
        let temporary = unfinished(path)
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer { close(descriptor) }
        let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bytes.count, fsync(descriptor) == 0, rename(temporary, path) == 0 else {
            // If only a part of a few bytes was written, the disk is full.
            let code = (0..<bytes.count).contains(count) ? ENOSPC : errno
            unlink(temporary)
            throw failure(path, code)
        }
        // Foundation crashes on the folder of a path that is only a name.
        let slash = path.lastIndex(of: "/")
        let code = FolderSync.run(slash.map { String(path[...$0]) } ?? ".")
        guard code == 0 else { throw failure(path, code) }
    }

    /// The path at which a file is written before it replaces the one at `path`.
    static func unfinished(_ path: String) -> String { path + ".new" }

    /// - Returns: `nil` if there is none; an empty array if it cannot be read or is longer than `limit`.
    static func read(_ path: String, upTo limit: Int) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count <= limit else { return [] }
        return [UInt8](bytes)
    }

    private static func failure(_ path: String, _ code: CInt) -> CommandFailure {
        CommandFailure("consentlink: cannot write \(path.shown): \(String(cString: strerror(code)))")
    }
}
