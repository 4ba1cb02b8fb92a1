import SQLStorage
import StoragePorts

/// Why the main database of a folder is not moved.
enum StorageMigrationError: StoreFailure {
    case sameKind(StorageKind)
    /// `sqlite:` names another folder than the service's.
    case otherFolder
    /// The old database is of an earlier version, or an upgrade of it was broken off.
    case sourceNotReady
    /// Another move was begun.
    case otherMove(to: String)
    case noMove
    /// The running service has another setting `storage`.
    case otherSetting(String)
    /// Another process moves the same database.
    case underWay
    /// A service runs, and would not have the password.
    case passwordOfEnvironment
    /// The service did not come back.
    case serviceEnded
    /// The same, after the switch.
    case serviceEndedAfterMove
    /// The running service cannot connect to the new database, or could not start on it.
    case unusableForService
    /// The move is done, and a database does not know it yet. With the reason.
    case untold(String)
    /// The copied rows differ from the original ones.
    case different([StorageComparison.Difference])

    var description: String {
        switch self {
        case .sameKind(let kind): "the data folder has \(kind.description) already"
        case .otherFolder: "sqlite: must name the data folder itself: keys and spool stay where they are"
        case .sourceNotReady:
            """
            the present database is not as a start of this version leaves it: start the service with this version, wait \
            until it is ready, and run this again
            """
        case .otherMove(let target): "a move to \(target) was begun: go on with it, or end it with --abandon"
        case .noMove: "no move was begun"
        case .otherSetting(let setting):
            "the running service has storage \(setting): give this command the same with --storage"
        case .underWay: "another process moves this database"
        case .passwordOfEnvironment:
            "the running service does not know the password: name a file that has it with --storage-password-file"
        case .serviceEnded:
            "the service did not come back: see its log, start it again, and run this command again"
        case .serviceEndedAfterMove:
            """
            the new database counts, but the service did not come back: see its log, set storage so that the service \
            reaches the new database, and start it
            """
        case .unusableForService:
            """
            the running service cannot use the new database, so nothing was switched: see its log; its working folder, \
            rights and network may differ from those of this command
            """
        case .untold(let reason):
            """
            the new database counts, but one of the two could not be told so: \(reason). Run this again once that is \
            mended; no service uses the old one meanwhile
            """
        case .different(let differences):
            "the copy is not the same, so nothing was switched: "
                + differences.map { "\($0.name): \($0.before) before, \($0.after) after" }.joined(separator: "; ")
        }
    }

    var isTransient: Bool { true }
}
