import Glibc

/// Keeps a second process out of a folder for as long as it lives. The kernel lets go of it when the process ends,
/// however that happens.
struct FolderLock: ~Copyable {
    private let descriptor: CInt

    init(path: String) throws(DataFolderError) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotWrite("lock") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw .inUse
        }
    }

    deinit { close(descriptor) }
}
