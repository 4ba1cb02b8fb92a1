import Cryptography
import Glibc
import LocalFiles
import SystemPackage

/// The relay's own folder: its identity, and the lock that excludes a second process. It contains nothing else, and no
/// personal data.
struct RelayFolder {
    /// In bytes; an incomplete file has fewer.
    private static let leastIdentity = 16
    private static let greatestIdentity = 64

    /// The relay's identity, as long as the folder exists.
    let identity: String
    /// Excludes a second process as long as this value exists.
    private let lock: LockedFile

    /// Makes the folder if it is missing.
    /// - Throws: ``RelayError/inUse`` while another process has it, ``RelayError/cannotLock(_:)`` if the system cannot
    ///   lock its file, ``RelayError/folder(_:)``.
    init(at path: String) throws(RelayError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .folder("it cannot be made: \(Errno.last)") }
        do throws(LockedFile.Failure) {
            lock = try LockedFile("\(path)/lock")
        } catch { throw Self.refusal(error) }
        let file = "\(path)/relay.id"
        if let known = try Self.identity(in: file) {
            identity = known
        } else {
            identity = try Self.makeIdentity(in: file)
        }
    }

    static func refusal(_ failure: LockedFile.Failure) -> RelayError {
        switch failure {
        case .cannotOpen(let reason): .folder("its lock cannot be opened: \(reason)")
        case .inUse: .inUse
        case .cannotLock(let reason): .cannotLock("\(reason)")
        }
    }

    /// - Returns: `nil` if there is no complete file.
    private static func identity(in file: String) throws(RelayError) -> String? {
        do throws(Errno) {
            let bytes = try FileContent.read(file, followsLink: false, atMost: greatestIdentity)
            let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
            return text.utf8.count >= leastIdentity ? text : nil
        } catch {
            guard error != .noSuchFileOrDirectory else { return nil }
            throw .folder("relay.id cannot be read: \(error)")
        }
    }

    private static func makeIdentity(in file: String) throws(RelayError) -> String {
        var random = SecureRandom()
        let identity = Base64URL.encode(random.bytes(18))
        do throws(Errno) {
            try AtomicFile.write(Array("\(identity)\n".utf8), to: file)
        } catch { throw .folder("relay.id cannot be written: \(error)") }
        return identity
    }
}
