import Glibc

/// Keeps a second process out of a folder for as long as it lives. The kernel lets go of it when the process ends,
/// however that happens. The file holds the number of the process that took the lock last.
struct FolderLock: ~Copyable {
    static let fileName = "lock"

    private let descriptor: CInt

    /// Takes the lock, and makes its file where there is none.
    ///
    /// - Throws: ``DataFolderError/inUse(process:)`` while another process has it.
    init(in folder: String) throws(DataFolderError) {
        let descriptor = open(
            "\(folder)/\(Self.fileName)", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .unusable(Self.fileName, .symbolicLink) }
            if errno == EISDIR { throw .unusable(Self.fileName, .notAFile) }
            throw .cannotWrite(Self.fileName)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let process = Self.process(descriptor)
            close(descriptor)
            throw .inUse(process: process)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// What the process does with the folder.
    enum Stage: String {
        case starting
        case serving
        /// As ``serving``; nothing is written to the main database.
        case readOnly = "read-only"
    }

    /// Leaves this process's number for others to read, and what it does. Whether that works is not important.
    borrowing func sign(_ stage: Stage = .starting) { Self.sign(descriptor, stage) }

    /// The same later, from whatever thread; `nil` when there are no more descriptors.
    borrowing func signature() -> FolderSignature? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : FolderSignature(descriptor: copy)
    }

    fileprivate static func sign(_ descriptor: CInt, _ stage: Stage) {
        let text = Array("\(getpid())\n\(stage.rawValue)\n".utf8)
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// The number in the lock file of a folder; `nil` when there is none.
    static func process(in folder: String) -> Int32? {
        let descriptor = open("\(folder)/\(fileName)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return process(descriptor)
    }

    /// What the process of ``process(in:)`` does, if it says so.
    static func stage(in folder: String) -> Stage? {
        let descriptor = open("\(folder)/\(fileName)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let lines = lines(descriptor)
        return lines.count > 1 ? Stage(rawValue: lines[1]) : nil
    }

    private static func process(_ descriptor: CInt) -> Int32? { lines(descriptor).first.flatMap { Int32($0) } }

    private static func lines(_ descriptor: CInt) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return [] }
        return bytes[..<count].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Writes in the lock file of a folder that this process has.
final class FolderSignature: Sendable {
    private let descriptor: CInt

    fileprivate init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func sign(_ stage: FolderLock.Stage) { FolderLock.sign(descriptor, stage) }
}
