import ArgumentParser
import Glibc
import NIOPosix
import Service
import SystemPackage

/// Where the answers go: a file that is gone on with after an interruption, or standard output.
///
/// A line that was written is answered for good; so nothing is told the window before it is the kernel's.
final class AnswerFile: Sendable {
    private static let bytesAtOnce = 1 << 20

    private let descriptor: CInt
    /// As the command line names it.
    private let name: String
    private let isFile: Bool
    /// Whether somebody reads it, and may be waited for.
    private let isRead: Bool

    /// Standard output.
    init() {
        descriptor = STDOUT_FILENO
        name = "standard output"
        isFile = false
        isRead = true
    }

    /// - Parameter mayResume: whether there may be answers in the file already.
    init(path: String, mayResume: Bool) throws(CommandFailure) {
        name = path
        // The answers name people.
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("cannot write", path, exitCode: ExitStatus.usage) }
        let status = FileStatus(descriptor: descriptor)
        isFile = status?.type == .regular
        isRead = status?.type == .fifo || isatty(descriptor) == 1
        guard isFile else {
            guard !mayResume else {
                throw CommandFailure("consentlink: --resume needs a file to go on with", exitCode: ExitStatus.usage)
            }
            return
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure("consentlink: \(path) is being written by another process")
        }
        guard mayResume || status?.size == 0 else {
            throw CommandFailure(
                "consentlink: \(path) has something in it; go on with it by --resume, or name another file",
                exitCode: ExitStatus.usage)
        }
    }

    deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

    /// Reads what was answered before, and cuts off a line that is not whole.
    func resume(_ splitter: inout AnswerSplitter) throws {
        splitter.keepsLastPayload = true
        defer { splitter.keepsLastPayload = false }
        var piece = [UInt8](repeating: 0, count: Self.bytesAtOnce)
        var length = 0
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw Self.failure("cannot read", name) }
            guard count > 0 else { break }
            let cut = try piece.withUnsafeBytes { try splitter.read(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            length += cut.bytes.count
            if cut.mustStop { break }
        }
        splitter.dropRest()
        guard ftruncate(descriptor, length) == 0, lseek(descriptor, 0, SEEK_END) == length else {
            throw Self.failure("cannot cut", name)
        }
    }

    /// All of `bytes`. Waits on a thread of its own for whoever reads them.
    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        guard isRead else { return try writeAll(bytes) }
        try await NIOThreadPool.singleton.runIfActive { try self.writeAll(bytes) }
    }

    private func writeAll(_ bytes: [UInt8]) throws(CommandFailure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw Self.failure("cannot write", name)
            }
        }
    }

    /// Returns when what was written is on the disk.
    func sync() async throws {
        guard isFile else { return }
        try await NIOThreadPool.singleton.runIfActive { [descriptor, name] in
            guard fsync(descriptor) == 0 else { throw Self.failure("cannot write", name) }
        }
    }

    private static func failure(
        _ what: String, _ name: String, exitCode: ExitCode = ExitStatus.failed
    ) -> CommandFailure {
        CommandFailure("consentlink: \(what) \(name): \(String(cString: strerror(errno)))", exitCode: exitCode)
    }
}
