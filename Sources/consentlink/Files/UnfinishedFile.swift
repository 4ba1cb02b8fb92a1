import ArgumentParser
import Foundation
import Glibc
import LocalFiles
import SystemPackage

/// A file that gets its name only once it is complete and on the disk. It never replaces another file.
final class UnfinishedFile {
    /// The final name of the file, and its name until then.
    struct Name: Sendable {
        fileprivate let whole: String
        fileprivate let unfinished: String

        /// In bytes: with what is added, the name of a file has at most 255.
        private static let greatestBeginning = 200

        init(for name: String) {
            whole = name
            let start = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
            var beginning = name[start...]
            while beginning.utf8.count > Self.greatestBeginning { beginning.removeLast() }
            unfinished = "\(name[..<start])\(beginning).\(UUID().uuidString).unfinished"
        }

        /// Removes the file while it is unfinished; there need not be one.
        func remove() { try? FileManager.default.removeItem(atPath: unfinished) }
    }

    private let names: Name
    private let descriptor: CInt
    private(set) var size = 0

    private var name: String { names.whole }
    private var unfinished: String { names.unfinished }

    init(_ names: Name) throws(CommandFailure) {
        self.names = names
        let (name, unfinished) = (names.whole, names.unfinished)
        // A link to a missing file counts, too.
        guard FileStatus(name) == nil else {
            throw CommandFailure("consentlink: \(name.shown) is there already", exitCode: ExitStatus.usage)
        }
        // It names people, so only its owner may read it from the first moment on.
        descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(name, exitCode: ExitStatus.usage) }
    }

    deinit {
        // If it could not be opened, nothing was made.
        guard descriptor >= 0 else { return }
        close(descriptor)
        names.remove()
    }

    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(Errno) {
            try FileDescriptor(rawValue: descriptor).writeWhole(bytes)
        } catch { throw Self.failure(name, error) }
        size += bytes.count
    }

    func finish() throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw Self.failure(name) }
        let code = ExclusiveRename.run(unfinished, name)
        guard code == 0 else { throw Self.failure(name, Errno(rawValue: code)) }
    }

    private static func failure(
        _ name: String, _ error: Errno = .last, exitCode: ExitCode = ExitStatus.failed
    ) -> CommandFailure {
        CommandFailure("consentlink: cannot write \(name.shown): \(error)", exitCode: exitCode)
    }
}
