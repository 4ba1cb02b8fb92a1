import ArgumentParser
import Foundation

/// A file that gets its name when it is whole and on the disk, and not before. It never takes the place of another.
final class UnfinishedFile {
    private let name: String
    private let unfinished: String
    private let handle: FileHandle
    private(set) var size = 0

    init(for name: String) throws(CommandFailure) {
        self.name = name
        unfinished = "\(name).\(UUID().uuidString).unfinished"
        let files = FileManager.default
        guard !files.fileExists(atPath: name) else {
            throw CommandFailure("consentlink: \(name) is there already", exitCode: ExitStatus.usage)
        }
        // It names people.
        guard files.createFile(atPath: unfinished, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: unfinished)
        else { throw CommandFailure("consentlink: cannot write \(name)", exitCode: ExitStatus.usage) }
        self.handle = handle
    }

    deinit {
        try? handle.close()
        try? FileManager.default.removeItem(atPath: unfinished)
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do { try handle.write(contentsOf: bytes) } catch { throw CommandFailure("consentlink: cannot write \(name)") }
        size += bytes.count
    }

    func finish() throws(CommandFailure) {
        do {
            try handle.synchronize()
            // A link is refused where a file of the name has come to be; a renaming would replace it.
            try FileManager.default.linkItem(atPath: unfinished, toPath: name)
        } catch { throw CommandFailure("consentlink: cannot write \(name)") }
    }
}
