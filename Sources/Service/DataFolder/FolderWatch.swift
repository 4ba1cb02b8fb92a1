import LocalFiles
import StoragePorts
import Synchronization

/// Checks whether the paths of a data folder still lead to the files that this process has open.
///
/// If the folder or a file in it is removed or replaced, the process continues with files that no later start finds:
/// data that it acknowledges then would be lost. A loss stays until a restart, even if the files come back.
///
/// It asks for the files by path and never opens them: a process that closes a descriptor of a database loses the locks
/// that SQLite has on it (fcntl(2)).
final class FolderWatch: Sendable {
    struct File: Hashable, Sendable {
        /// The place in the folder.
        let name: String
        let path: String
        /// The identity of the open file.
        let identity: FileStatus.Identity
        /// Whether the path may be a symbolic link, like that of the folder.
        var followsLink = false

        init(_ name: String, path: String, identity: FileStatus.Identity, followsLink: Bool = false) {
            (self.name, self.path, self.identity, self.followsLink) = (name, path, identity, followsLink)
        }

        /// A file that was just opened by its path.
        /// - Returns: `nil` if there is none.
        init?(_ name: String, in folder: String) {
            let path = "\(folder)/\(name)"
            guard let status = FileStatus(path) else { return nil }
            self.init(name, path: path, identity: status.identity)
        }

        fileprivate var loss: FolderLoss? {
            switch FileStatus.Presence(path, followsLink: followsLink) {
            case .there(let found): found == identity ? nil : FolderLoss(file: name, isReplaced: true)
            case .missing: FolderLoss(file: name, isReplaced: false)
            // A failing disk shows itself with the next write.
            case .unknown: nil
            }
        }
    }

    private let files: [File]
    private let onLoss: @Sendable (FolderLoss) -> Void
    /// Guards the first loss that was found.
    private let found = Mutex<FolderLoss?>(nil)

    /// - Parameter onLoss: called once, by the thread that finds a loss.
    init(_ files: [File], onLoss: @escaping @Sendable (FolderLoss) -> Void) {
        self.files = files
        self.onLoss = onLoss
    }

    /// The loss that was found before; reads no disk.
    var loss: FolderLoss? { found.withLock { $0 } }

    /// Compares every file with its path.
    /// - Returns: the loss that was found, now or before.
    @discardableResult
    func check() -> FolderLoss? {
        if let loss { return loss }
        guard let loss = files.lazy.compactMap(\.loss).first else { return nil }
        let isFirst = found.withLock { found in
            defer { found = found ?? loss }
            return found == nil
        }
        if isFirst { onLoss(loss) }
        return self.loss
    }

    /// Must be called before something is written by its path.
    /// - Throws: ``FolderLoss``
    func require() throws(FolderLoss) {
        if let loss = check() { throw loss }
    }
}

/// The folder or a file in it is no longer the one that the process has open.
struct FolderLoss: StoreFailure, Hashable {
    /// The place in the folder, or ``FolderFinding/folder``.
    let file: String
    /// Whether another file or folder is in its place.
    let isReplaced: Bool

    var isTransient: Bool { false }

    var description: String {
        isReplaced
            ? "another file or folder is in the place of \(file), which the service has open"
            : "\(file), which the service has open, is not in its place any more"
    }

    /// The advice for the operator.
    static let remedy = """
        the service acknowledges no more writes: stop it, put the moved or removed files back, and start it again; \
        before that, consentlink backup may still copy the removed files
        """
}
