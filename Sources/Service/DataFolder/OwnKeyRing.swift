import Logging
import Synchronization
import TrackingIDs
import UseCases

/// The ring of signing keys of a service that shares it with no other: only in `keyring.json`.
///
/// A write can fail when the file has the new ring already, for example because the folder cannot be synced. The
/// service then continues with the old ring, so the file gets that one back: a start must find the keys that signed
/// meanwhile.
final class OwnKeyRing: KeyRingStore {
    private let file: KeyRingFile
    private let replace: @Sendable (KeyRing) throws -> Void
    private let logger: Logger
    /// Guards why the file may have another ring than the service; `nil` if both have the same.
    private let failure = Mutex<String?>(nil)

    /// - Parameter replace: replaces the content of the file; durable on return.
    init(_ file: KeyRingFile, logger: Logger, replace: (@Sendable (KeyRing) throws -> Void)? = nil) {
        self.file = file
        self.replace = replace ?? { try file.write($0) }
        self.logger = logger
    }

    var reasonNotReady: ReadinessReason? { failure.withLock { $0 }.map { .keyRingUncertain($0) } }

    /// If it throws, the old ring is stored, or ``reasonNotReady`` says that this is not certain.
    func write(_ ring: KeyRing, replacing old: KeyRing) throws {
        if failure.withLock({ $0 }) != nil {
            try replace(old)
            noteSuccess()
        }
        do {
            try replace(ring)
        } catch {
            putBack(old)
            throw error
        }
    }

    private func putBack(_ old: KeyRing) {
        do {
            if !has(old) {
                try replace(old)
                logger.warning("a change of the signing keys failed and was taken back")
            }
        } catch {
            failure.withLock { $0 = "\(error)" }
            logger.critical(
                """
                keyring.json may have other signing keys than the service uses: rotate or retire a key again before a \
                restart, or links that are signed now may be dead after it
                """, metadata: ["error": "\(error)"])
        }
    }

    private func noteSuccess() {
        failure.withLock { $0 = nil }
        logger.notice("keyring.json has the signing keys that the service uses")
    }

    /// Whether the file has the keys of this ring. A file that cannot be read is taken to have others.
    private func has(_ ring: KeyRing) -> Bool {
        guard let bytes = try? file.file.read(), let content = try? KeyRingFile.Content(bytes) else { return false }
        return content.ring.hasSameKeys(as: ring)
    }
}
