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

    /// Leaves this process's number for others to read. Whether that works is not important.
    borrowing func sign() {
        let text = Array("\(getpid())\n".utf8)
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

    private static func process(_ descriptor: CInt) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0, let line = bytes[..<count].split(separator: UInt8(ascii: "\n")).first else { return nil }
        return Int32(String(decoding: line, as: UTF8.self))
    }
}
