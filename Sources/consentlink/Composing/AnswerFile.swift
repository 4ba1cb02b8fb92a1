import ArgumentParser
import Glibc
import LocalFiles
import NIOPosix
import Synchronization
import SystemPackage

/// The destination of the answers: a file that can be continued after an interruption, or standard output.
///
/// A written line counts as answered from then on, so the window is told only when the kernel has the bytes.
final class AnswerFile: Sendable {
    private static let bytesAtOnce = 1 << 20

    private let descriptor: CInt
    /// The name on the command line.
    private let name: String
    let isFile: Bool
    /// Whether it has a reader for which a write may have to wait.
    private let isRead: Bool
    /// Guards the length to which the file must be cut, after its last whole line; `nil` if nothing must be cut.
    private let cut = Mutex<Int?>(nil)

    /// Writes to standard output.
    init() {
        descriptor = STDOUT_FILENO
        name = "standard output"
        isFile = false
        isRead = true
    }

    /// - Parameter mayResume: whether the file may contain answers already.
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
        do throws(Errno) {
            try ExclusiveLock.take(descriptor)
        } catch {
            guard error == .wouldBlock else { throw Self.failure("cannot lock", path, error) }
            throw CommandFailure("consentlink: \(path.shown) is being written by another process")
        }
        guard mayResume || status?.size == 0 else {
            throw CommandFailure(
                "consentlink: \(path.shown) has something in it; go on with it by --resume, or name another file",
                exitCode: ExitStatus.usage)
        }
    }

    deinit { if descriptor != STDOUT_FILENO { close(descriptor) } }

    /// Reads the earlier answers. An incomplete last line is cut off before the first write or sync; until then the
    /// file is not changed.
    ///
    /// - Throws: `CommandFailure`, also if the file contains something other than answers.
    func resume(_ splitter: inout AnswerSplitter) throws(CommandFailure) {
        splitter.keepsLastPayload = true
        defer { splitter.keepsLastPayload = false }
        var piece = [UInt8](repeating: 0, count: Self.bytesAtOnce)
        var length = 0
        while true {
            let count = read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw Self.failure("cannot read", name) }
            guard count > 0 else { break }
            let whole: AnswerSplitter.Cut
            do {
                whole = try piece.withUnsafeBytes { try splitter.read(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            } catch { throw foreign(line: splitter.counts.lines + 1) }
            if let line = splitter.foreignLine { throw foreign(line: line) }
            length += whole.bytes.count
            if whole.mustStop { break }
        }
        guard splitter.isRestOfAnswer else { throw foreign(line: splitter.counts.lines + 1) }
        splitter.dropRest()
        cut.withLock { $0 = length }
    }

    private func foreign(line: Int) -> CommandFailure {
        CommandFailure(
            """
            consentlink: line \(line) of \(name.shown) is not an answer of the service. Nothing was changed; --resume \
            goes on with a file that this command began
            """, exitCode: ExitStatus.usage)
    }

    private func cutOff() throws(CommandFailure) {
        let isDone = cut.withLock { cut in
            guard let length = cut else { return true }
            cut = nil
            return ftruncate(descriptor, off_t(length)) == 0 && lseek(descriptor, 0, SEEK_END) == off_t(length)
        }
        guard isDone else { throw Self.failure("cannot cut", name) }
    }

    /// Writes all of `bytes`. Waits for the reader on a thread of its own.
    func write(_ bytes: [UInt8]) async throws {
        guard !bytes.isEmpty else { return }
        guard isRead else { return try writeAll(bytes) }
        try await NIOThreadPool.singleton.runIfActive { try self.writeAll(bytes) }
    }

    private func writeAll(_ bytes: [UInt8]) throws(CommandFailure) {
        try cutOff()
        do throws(Errno) {
            try FileDescriptor(rawValue: descriptor).writeWhole(bytes)
        } catch { throw Self.failure("cannot write", name, error) }
    }

    /// Returns when the written bytes are on the disk.
    func sync() async throws {
        guard isFile else { return }
        try cutOff()
        try await NIOThreadPool.singleton.runIfActive { [descriptor, name] in
            guard fsync(descriptor) == 0 else { throw Self.failure("cannot write", name) }
        }
    }

    private static func failure(
        _ what: String, _ name: String, _ error: Errno = .last, exitCode: ExitCode = ExitStatus.failed
    ) -> CommandFailure {
        CommandFailure("consentlink: \(what) \(name.shown): \(error)", exitCode: exitCode)
    }
}
