import Cryptography
import Glibc

/// The relay's own folder: its identity, and the lock that excludes a second process. It contains nothing else, and no
/// personal data.
struct RelayFolder: ~Copyable {
    /// The relay's identity, as long as the folder exists.
    let identity: String
    private let lock: CInt

    /// Makes the folder if it is missing.
    /// - Throws: ``RelayError/inUse`` while another process has it, ``RelayError/cannotLock(_:)`` if the system cannot
    ///   lock its file, ``RelayError/folder(_:)``.
    init(at path: String) throws(RelayError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .folder("it cannot be made") }
        let lock = open("\(path)/lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw .folder("its lock cannot be opened") }
        if let error = Self.refusal(Self.hold(lock)) {
            close(lock)
            throw error
        }
        do throws(RelayError) {
            identity = try Self.identity(in: path)
        } catch {
            close(lock)
            throw error
        }
        self.lock = lock
    }

    deinit { close(lock) }

    /// - Returns: 0, or the error code.
    private static func hold(_ lock: CInt) -> CInt {
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            // A signal says nothing about the lock. Calls on network file systems are interrupted even if they do not
            // wait.
            if errno != EINTR { return errno }
        }
        return 0
    }

    /// The error for a code of flock(2); `nil` for 0. Only EWOULDBLOCK means that another process has the lock.
    static func refusal(_ code: CInt) -> RelayError? {
        switch code {
        case 0: nil
        case EWOULDBLOCK: .inUse
        default: .cannotLock(String(cString: strerror(code)))
        }
    }

    private static func identity(in folder: String) throws(RelayError) -> String {
        let path = "\(folder)/relay.id"
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .folder("relay.id cannot be opened") }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .folder("relay.id cannot be read") }
        let known = String(decoding: bytes[..<count], as: UTF8.self).filter { !$0.isWhitespace }
        if known.utf8.count >= 16 { return known }
        var random = SecureRandom()
        let made = Array((Base64URL.encode(random.bytes(18)) + "\n").utf8)
        guard ftruncate(descriptor, 0) == 0, pwrite(descriptor, made, made.count, 0) == made.count,
            fsync(descriptor) == 0
        else { throw .folder("relay.id cannot be written") }
        return String(decoding: made.dropLast(), as: UTF8.self)
    }
}
