import ArgumentParser
import Foundation

/// A file that gets its name when it is whole and on the disk, and not before. It never takes the place of another.
final class UnfinishedFile {
    /// What the file is to be called, and what it is called until then.
    struct Name: Sendable {
        fileprivate let whole: String
        fileprivate let unfinished: String

        init(for name: String) {
            whole = name
            unfinished = "\(name).\(UUID().uuidString).unfinished"
        }

        /// Removes the file while it is unfinished; there need not be one.
        func remove() { try? FileManager.default.removeItem(atPath: unfinished) }
    }

    private let names: Name
    private let handle: FileHandle
    private(set) var size = 0

    private var name: String { names.whole }
    private var unfinished: String { names.unfinished }

    init(_ names: Name) throws(CommandFailure) {
        self.names = names
        let (name, unfinished) = (names.whole, names.unfinished)
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
        names.remove()
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
