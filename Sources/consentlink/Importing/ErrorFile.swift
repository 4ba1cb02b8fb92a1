import ArgumentParser
import Glibc
import JSON
import LocalFiles
import SystemPackage

/// The rows that were not recorded: one JSON line for each, with its lines of the file and the reason. It is made for
/// the first such row. It contains nothing from the rows.
struct ErrorFile: ~Copyable {
    private let path: String
    private var descriptor: CInt = -1
    private(set) var size: Int
    /// Its ``ResolvedPath``, for the journal.
    let place: String

    /// - Parameters:
    ///   - size: the valid size from an earlier run; bytes after it are of a batch that the run did not complete.
    ///   - place: the place of the earlier run's file; `nil` if it is not known. Another file must be empty, and gets
    ///     only the errors of the rows that follow.
    ///   - isWhole: whether the earlier run completed every batch. Its errors may then be dealt with: the file may be
    ///     changed or gone.
    init(
        path: String, resumingAt size: Int, of place: String? = nil, isWhole: Bool = false
    ) throws(CommandFailure) {
        self.path = path
        let own = ResolvedPath(path).path
        self.place = own
        let found = FileStatus(following: path)?.size
        let isContinued = place.map { $0 == own } ?? (size > 0)
        self.size = !isContinued ? 0 : isWhole ? found ?? 0 : size
        guard let found else {
            guard self.size == 0 else {
                throw CommandFailure(
                    """
                    consentlink: \(path.shown) is gone, which has the errors of the rows before; --errors names \
                    another file for those of the rest
                    """)
            }
            return
        }
        if !isContinued, found > 0 { try refuseToReplace() }
        guard found >= self.size else {
            throw CommandFailure("consentlink: \(path.shown) is shorter than it was left")
        }
        try open()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Durable on return.
    mutating func write(_ errors: [RefusedRow]) throws(CommandFailure) {
        guard !errors.isEmpty else { return }
        if descriptor < 0 { try open() }
        var writer = JSONWriter()
        for error in errors {
            error.write(to: &writer)
            writer.separate(by: UInt8(ascii: "\n"))
        }
        do throws(Errno) {
            try FileDescriptor(rawValue: descriptor).writeWhole(writer.bytes)
        } catch { throw failure(error) }
        guard fsync(descriptor) == 0 else { throw failure() }
        size += writer.bytes.count
    }

    private func refuseToReplace() throws(CommandFailure) {
        throw CommandFailure(
            "consentlink: \(path.shown) has something in it; name another file with --errors",
            exitCode: ExitStatus.usage)
    }

    private mutating func open() throws(CommandFailure) {
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0, ftruncate(descriptor, size) == 0, lseek(descriptor, 0, SEEK_END) == size else {
            throw failure()
        }
    }

    private func failure(_ error: Errno = .last) -> CommandFailure {
        CommandFailure("consentlink: cannot write \(path.shown): \(error)")
    }
}
