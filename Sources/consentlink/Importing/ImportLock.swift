import ArgumentParser
import Glibc
import Service

/// Excludes a second import with the same journal. Writing replaces the journal, so the lock is on a separate file
/// beside it. That file is empty and remains; the lock ends with the process.
final class ImportLock: Sendable {
    private let descriptor: CInt

    /// - Throws: `CommandFailure` if another process holds it, or if it cannot be taken.
    init(of journal: ImportJournal) throws(CommandFailure) {
        let path = journal.lockPath
        // Opened for writing, because a lock on NFS needs that.
        descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
        let code = ExclusiveLock.take(descriptor)
        guard code == 0 else {
            close(descriptor)
            throw Self.failure(path, code)
        }
    }

    deinit { close(descriptor) }

    private static func failure(_ path: String, _ code: CInt) -> CommandFailure {
        guard code != EWOULDBLOCK else {
            return CommandFailure(
                "consentlink: another process is importing this file: it has locked \(path.shown). Nothing was sent")
        }
        return CommandFailure("consentlink: cannot lock \(path.shown): \(String(cString: strerror(code)))")
    }
}
