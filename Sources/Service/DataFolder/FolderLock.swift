import Glibc

/// Keeps a second process out of a folder for as long as it lives. The kernel lets go of it when the process ends,
/// however that happens. The file holds the number of the process that took the lock last.
///
/// The folder itself is locked, too: a process that finds no lock file, because it was removed, is still kept out.
struct FolderLock: ~Copyable {
    /// A process that only asks whether the folder is in use holds it for a moment.
    private static let attempts = 5
    private static let pauseInMicroseconds: UInt32 = 20_000

    private let folder: CInt
    private let descriptor: CInt

    /// Takes the lock, and makes its file where there is none.
    ///
    /// - Throws: ``DataFolderError/inUse(process:)`` while another process has it,
    ///   ``DataFolderError/cannotLock(_:)`` when the system cannot lock the file.
    init(in path: String) throws(DataFolderError) {
        let folder = try Self.hold(folder: path)
        do throws(DataFolderError) {
            descriptor = try Self.hold(fileIn: path)
        } catch {
            close(folder)
            throw error
        }
        self.folder = folder
    }

    deinit {
        close(descriptor)
        close(folder)
    }

    /// - Returns: the folder, open. It is locked unless its file system can lock files alone, as NFS does.
    private static func hold(folder path: String) throws(DataFolderError) -> CInt {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DataFolderError(code: errno) ?? .cannotRead(FolderFinding.folder) }
        guard lock(descriptor) != EWOULDBLOCK else {
            close(descriptor)
            throw .inUse(process: process(in: path))
        }
        return descriptor
    }

    private static func hold(fileIn path: String) throws(DataFolderError) -> CInt {
        let descriptor = open(
            "\(path)/\(FolderFile.lock)", O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .unusable(FolderFile.lock, .symbolicLink) }
            if errno == EISDIR { throw .unusable(FolderFile.lock, .notAFile) }
            throw DataFolderError(code: errno) ?? .cannotWrite(FolderFile.lock)
        }
        let code = lock(descriptor)
        guard code == 0 else {
            let error = refusal(code, process: process(descriptor))
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// What an error code of flock(2) says.
    static func refusal(_ code: CInt, process: Int32?) -> DataFolderError {
        code == EWOULDBLOCK ? .inUse(process: process) : .cannotLock(String(cString: strerror(code)))
    }

    /// - Returns: 0, or the error code.
    private static func lock(_ descriptor: CInt) -> CInt {
        for attempt in 1...attempts {
            let code = ExclusiveLock.take(descriptor)
            guard code == EWOULDBLOCK else { return code }
            if attempt < attempts { usleep(pauseInMicroseconds) }
        }
        return EWOULDBLOCK
    }

    /// Whether a process holds a folder.
    static func isHeld(in folder: String) -> Bool {
        isHeld(folder, O_DIRECTORY) || isHeld("\(folder)/\(FolderFile.lock)", O_NOFOLLOW | O_NONBLOCK)
    }

    private static func isHeld(_ path: String, _ flags: CInt) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// What is locked, and must stay at its path.
    /// - Parameter path: the folder's.
    borrowing func files(at path: String) -> [FolderWatch.File] {
        let folder = FileStatus(descriptor: folder).map {
            FolderWatch.File(FolderFinding.folder, path: path, identity: $0.identity, followsLink: true)
        }
        let file = FileStatus(descriptor: descriptor).map {
            FolderWatch.File(FolderFile.lock, path: "\(path)/\(FolderFile.lock)", identity: $0.identity)
        }
        return [folder, file].compactMap { $0 }
    }

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
        // Cut last: a full disk still has the room that the file has.
        let written = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        if written == text.count { _ = ftruncate(descriptor, off_t(written)) }
    }

    /// The number in the lock file of a folder; `nil` when there is none.
    static func process(in folder: String) -> Int32? {
        let descriptor = open("\(folder)/\(FolderFile.lock)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return process(descriptor)
    }

    /// What the process of ``process(in:)`` does, if it says so.
    static func stage(in folder: String) -> Stage? {
        let descriptor = open("\(folder)/\(FolderFile.lock)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
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
