import Glibc
import LocalFiles
import SystemPackage

/// Excludes a second process from a folder while this value exists. The kernel releases the lock when the process ends,
/// in any way. The file contains the number of the process that took the lock last.
///
/// The folder itself is locked, too: a process that finds no lock file, because it was removed, is still excluded.
struct FolderLock: ~Copyable {
    /// A process that only checks whether the folder is in use holds the lock for a moment.
    private static let attempts = 5
    private static let pauseInMicroseconds: UInt32 = 20_000

    private let folder: CInt
    private let descriptor: CInt

    /// Takes the lock, and makes its file if it is missing.
    ///
    /// - Parameter inherited: the lock that the process held before its program image was replaced.
    /// - Throws: ``DataFolderError/inUse(process:)`` while another process has it,
    ///   ``DataFolderError/cannotLock(_:)`` if the system cannot lock the file.
    init(in path: String, inheriting inherited: InheritedLock? = nil) throws(DataFolderError) {
        let kept = inherited?.files(of: path)
        let folder: CInt
        do throws(DataFolderError) {
            folder = try Self.hold(folder: path, kept?.folder)
        } catch {
            if let file = kept?.file { close(file) }
            throw error
        }
        do throws(DataFolderError) {
            descriptor = try Self.hold(fileIn: path, kept?.file)
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

    /// - Parameter kept: the folder, if it is open already. A lock that it has is taken again at once.
    /// - Returns: the folder, open. It is locked unless its file system can lock only files, like NFS.
    private static func hold(folder path: String, _ kept: CInt?) throws(DataFolderError) -> CInt {
        let descriptor = kept ?? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .reading(FolderFinding.folder, failedWith: .last) }
        do throws(Errno) {
            try lock(descriptor)
        } catch {
            guard error != .wouldBlock else {
                close(descriptor)
                throw .inUse(process: process(in: path))
            }
        }
        return descriptor
    }

    private static func hold(fileIn path: String, _ kept: CInt?) throws(DataFolderError) -> CInt {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = kept ?? open("\(path)/\(FolderFile.lock)", flags, 0o600)
        guard descriptor >= 0 else {
            if errno == ELOOP { throw .unusable(FolderFile.lock, .symbolicLink) }
            if errno == EISDIR { throw .unusable(FolderFile.lock, .notAFile) }
            throw .writing(FolderFile.lock, failedWith: .last)
        }
        do throws(Errno) {
            try lock(descriptor)
        } catch {
            let refusal = refusal(error, process: process(descriptor))
            close(descriptor)
            throw refusal
        }
        return descriptor
    }

    /// The error for one of ``ExclusiveLock/take(_:)``.
    static func refusal(_ error: Errno, process: Int32?) -> DataFolderError {
        error == .wouldBlock ? .inUse(process: process) : .cannotLock("\(error)")
    }

    private static func lock(_ descriptor: CInt) throws(Errno) {
        for _ in 1..<attempts {
            do throws(Errno) {
                return try ExclusiveLock.take(descriptor)
            } catch {
                guard error == .wouldBlock else { throw error }
                usleep(pauseInMicroseconds)
            }
        }
        try ExclusiveLock.take(descriptor)
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

    /// The same lock, for the program image that replaces this one. Must be used while this value exists.
    borrowing func forNextImage() -> InheritedLock { InheritedLock(folder: folder, file: descriptor) }

    /// The locked files, which must stay at their paths.
    /// - Parameter path: the path of the folder.
    borrowing func files(at path: String) -> [FolderWatch.File] {
        let folder = FileStatus(descriptor: folder).map {
            FolderWatch.File(FolderFinding.folder, path: path, identity: $0.identity, followsLink: true)
        }
        let file = FileStatus(descriptor: descriptor).map {
            FolderWatch.File(FolderFile.lock, path: "\(path)/\(FolderFile.lock)", identity: $0.identity)
        }
        return [folder, file].compactMap { $0 }
    }

    /// What the process is doing with the folder.
    enum Stage: String {
        case starting
        case serving
        /// Like ``serving``, but nothing is written to the main database.
        case readOnly = "read-only"
        /// The same, and this process cannot use the database that the main one is moved to.
        case readOnlyAlone = "read-only-alone"

        var isReady: Bool { self != .starting }
    }

    /// Writes this process's number and stage for other processes to read. A failure is not important.
    borrowing func sign(_ stage: Stage = .starting) { Self.sign(descriptor, stage) }

    /// The same for later, on any thread; `nil` if there are no more descriptors.
    borrowing func signature() -> FolderSignature? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy < 0 ? nil : FolderSignature(descriptor: copy)
    }

    fileprivate static func sign(_ descriptor: CInt, _ stage: Stage) {
        let text = Array("\(getpid())\n\(stage.rawValue)\n".utf8)
        // Cut last: on a full disk the file keeps its space until then.
        let written = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
        if written == text.count { _ = ftruncate(descriptor, off_t(written)) }
    }

    /// The number in the lock file of a folder; `nil` if there is none.
    static func process(in folder: String) -> Int32? {
        let descriptor = open("\(folder)/\(FolderFile.lock)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return process(descriptor)
    }

    /// Whether a process has used the folder: it has signed the lock file.
    ///
    /// - Throws: if that file cannot be read now, for example because too many files are open.
    static func isSigned(in folder: String) throws(DataFolderError) -> Bool {
        let descriptor = open("\(folder)/\(FolderFile.lock)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        do throws(Errno) {
            guard descriptor >= 0 else { throw .last }
            defer { close(descriptor) }
            return try read(descriptor).first.flatMap { Int32($0) } != nil
        } catch {
            // Something that is no file, or belongs to another user, is a finding of the inspection.
            let others: [Errno] = [
                .noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels, .isDirectory, .illegalSeek,
                .permissionDenied,
            ]
            guard others.contains(error) else { throw .reading(FolderFile.lock, failedWith: error) }
            return false
        }
    }

    /// The stage of the process of ``process(in:)``, if it wrote one.
    static func stage(in folder: String) -> Stage? {
        let descriptor = open("\(folder)/\(FolderFile.lock)", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let lines = lines(descriptor)
        return lines.count > 1 ? Stage(rawValue: lines[1]) : nil
    }

    private static func process(_ descriptor: CInt) -> Int32? { lines(descriptor).first.flatMap { Int32($0) } }

    private static func lines(_ descriptor: CInt) -> [String] { (try? read(descriptor)) ?? [] }

    private static func read(_ descriptor: CInt) throws(Errno) -> [String] {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count >= 0 else { throw .last }
        return bytes[..<count].split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Writes into the lock file of a folder that this process holds.
final class FolderSignature: Sendable {
    private let descriptor: CInt

    fileprivate init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    func sign(_ stage: FolderLock.Stage) { FolderLock.sign(descriptor, stage) }
}
