import LocalFiles

/// Excludes a second import with the same journal. Writing replaces the journal, so the lock is on a separate file
/// beside it. That file is empty and remains; the lock ends with the process.
final class ImportLock: Sendable {
    private let file: LockedFile

    /// - Throws: `CommandFailure` if another process holds it, or if it cannot be taken.
    init(of journal: ImportJournal) throws(CommandFailure) {
        let path = journal.lockPath
        do throws(LockedFile.Failure) {
            file = try LockedFile(path)
        } catch {
            switch error {
            case .inUse:
                throw CommandFailure(
                    """
                    consentlink: another process is importing this file: it has locked \(path.shown). Nothing was sent
                    """)
            case .cannotOpen(let reason), .cannotLock(let reason):
                throw CommandFailure("consentlink: cannot lock \(path.shown): \(reason)")
            }
        }
    }
}
