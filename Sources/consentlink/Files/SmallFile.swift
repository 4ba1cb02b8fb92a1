import LocalFiles
import SystemPackage

/// A file of a few bytes that is written whole, such as a journal.
enum SmallFile {
    /// Durable on return. At any moment there is the old file or the new one.
    static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        do throws(Errno) {
            try AtomicFile.write(bytes, to: path)
        } catch { throw CommandFailure("consentlink: cannot write \(path.shown): \(error)") }
    }

    /// - Returns: `nil` if there is none; an empty array if it cannot be read, is no regular file or is longer than
    ///   `limit`, or if the system does not tell whether there is one.
    static func read(_ path: String, upTo limit: Int) -> [UInt8]? {
        let found: FileStatus?
        do throws(Errno) {
            found = try FileStatus.find(path, followsLink: true)
        } catch {
            // No file has a name that is too long.
            return error == .fileNameTooLong ? nil : []
        }
        guard let status = found else { return nil }
        // The open of a pipe would wait for its other end.
        guard status.type == .regular else { return [] }
        return (try? FileContent.whole(path, upTo: limit)) ?? []
    }
}
