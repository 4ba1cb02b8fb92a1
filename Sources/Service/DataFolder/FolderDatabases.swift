import Glibc
import Identifiers
import LocalFiles
import PostgresStorage
import SQL
import SQLStorage
import SQLiteFiles
import SQLiteMirror
import SQLiteSpool
import SQLiteStorage
import StoragePorts

/// The databases of a data folder: the storage, which may be on a server, and the spool. Only one process at a time may
/// have them open.
struct FolderDatabases: Sendable {
    static let storageName = SQLiteStorage.fileName
    static let spoolName = SQLiteClickSpool.fileName
    static let mirrorName = SQLiteMirror.fileName
    static let names = names(of: .sqlite)

    /// The files in the folder.
    static func names(of storage: StorageKind) -> [String] {
        storage == .sqlite ? [storageName, spoolName] : [spoolName]
    }

    /// The tables that a database file must have; `nil` if the folder has no database of this name.
    static func schema(of name: String) -> Schema? {
        switch name {
        case storageName: .main
        case spoolName: .spool
        default: nil
        }
    }

    let storage: any OpenStorage
    let spool: SQLiteClickSpool
    /// The storage, if it is a file of the folder.
    private let embedded: SQLiteStorage?

    /// Opens both. Blocks the thread while it opens a file, and waits a while for a server that cannot be reached.
    ///
    /// - Throws: ``DataFolderError/unusable(_:)`` if a database is unusable, or a `StoreFailure`.
    init(in folder: String, _ opening: StorageOpening) async throws {
        var names = opening.choice.kind == .sqlite ? [Self.storageName] : [FolderFinding.database]
        do {
            switch opening.choice {
            case .embedded:
                let opened = try SQLiteStorage.open(
                    folder: folder, erasureKey: opening.erasureKey, ledgerHost: opening.ledgerHost,
                    isReadOnly: opening.isReadOnly, observer: opening.observer, clock: opening.clock)
                (storage, embedded) = (opened, opened)
            case .postgres(let settings):
                (storage, embedded) = (try await PostgresOpening(settings, opening).storage(), nil)
            }
            do {
                let drained = try await storage.lastInteraction()
                names = [Self.spoolName]
                spool = try SQLiteClickSpool(
                    folder: folder, slot: storage.shared?.slot ?? .single, drained: drained,
                    wasFresh: Self.freshness(of: storage), isTimed: opening.isTimed,
                    clock: opening.earliest ?? opening.clock)
            } catch {
                try? storage.close()
                throw error
            }
        } catch {
            throw Self.finding(error, names).map { DataFolderError.unusable([$0]) } ?? error
        }
    }

    /// Whether the node knew every withdrawal at a time; `nil` for one that always does.
    private static func freshness(of storage: any OpenStorage) -> (@Sendable (Timestamp) -> Bool)? {
        guard let shared = storage.shared else { return nil }
        return { time in shared.wasFresh(at: time) }
    }

    /// - Parameter names: the databases of which one has the error.
    private static func finding(_ error: any Error, _ names: [String]) -> FolderFinding? {
        let databases = names.joined(separator: " or ")
        let error = StorageError.translating(error)
        return switch error {
        case is OtherFolder: FolderFinding(FolderFinding.database, .foreign)
        case let moved as MigratedDatabase: FolderFinding(FolderFinding.database, .moved(moved.description))
        case is EmptiedDatabase: FolderFinding(FolderFinding.database, .empty)
        case is WrongErasureKey: FolderFinding(FolderFile.erasureKey, .foreign)
        case StorageError.foreignFile: FolderFinding(databases, .foreign)
        case StorageError.foreignCode: FolderFinding(databases, .foreignCode)
        case StorageError.foreignSchema(let difference):
            FolderFinding(databases, .foreignSchema(difference))
        case StorageError.newerSchema: FolderFinding(databases, .newer)
        case StorageError.failed(let fault) where fault.isDamage: FolderFinding(databases, .damaged)
        default: nil
        }
    }

    /// A damaged file, or a page of it that cannot be read, may be noticed long after it was opened.
    /// - Returns: the error for the operator; `nil` if the error means neither.
    static func damage(_ error: any Error, _ storage: StorageKind) -> DataFolderError? {
        guard case StorageError.failed(let fault) = StorageError.translating(error) else { return nil }
        if fault.isOfReading { return .unreadPage(of: names(of: storage).joined(separator: " or ")) }
        let server = storage == .postgres ? [FolderFinding.database] : []
        return finding(error, server + names(of: storage)).map { .unusable([$0]) }
    }

    /// Makes both, empty, for a data folder. Existing files are kept. On disk on return. Blocks the thread.
    static func make(in folder: String, _ storage: StorageKind, id: FolderID) throws(DataFolderError) {
        do {
            if storage == .sqlite { try SQLiteStorage.make(folder: folder, id: id) }
        } catch {
            throw makingFailed(error)
        }
        try makeSpool(in: folder, id: id)
    }

    /// Makes an empty spool for a data folder. On disk on return. Blocks the thread.
    static func makeSpool(in folder: String, id: FolderID) throws(DataFolderError) {
        do {
            try SQLiteClickSpool.make(folder: folder, id: id)
        } catch {
            throw makingFailed(error)
        }
    }

    /// Makes an empty spool aside, and puts it in its place when it is complete: there must be none. A process that is
    /// killed leaves no part of it there. On disk on return. Blocks the thread.
    static func putSpool(in folder: String, id: FolderID) throws(DataFolderError) {
        let name = AtomicFile.unfinished(spoolName)
        for left in [name, DatabasePaths.journal(of: name)] + DatabasePaths.logFiles(of: name)
        where FileStatus("\(folder)/\(left)") != nil {
            guard SecretFile.isOwnLeftover("\(folder)/\(left)") else { throw .unusable(left, .planted) }
            guard unlink("\(folder)/\(left)") == 0 else { throw .writing(left, failedWith: .last) }
        }
        do {
            try SQLiteClickSpool.make(name, folder: folder, id: id)
        } catch {
            throw makingFailed(error)
        }
        try put("\(folder)/\(name)", as: spoolName, in: folder)
    }

    /// Puts a database that was made aside in its place. A file there is replaced, and its log removed. On disk on
    /// return.
    ///
    /// - Parameter made: its path, on the file system of the folder. It must be closed.
    /// - Throws: ``DataFolderError``; if the file is not the whole database, before anything is changed.
    static func put(_ made: String, as name: String, in folder: String) throws(DataFolderError) {
        let file = "\(folder)/\(name)"
        // SQLite does not report if it could not write the log back into a file that it closes, for example on a full
        // disk. Then the file alone is not the whole database.
        guard FileStatus(DatabasePaths.log(of: made))?.size ?? 0 == 0 else {
            throw .cannotWrite(name, because: "its log could not be written back")
        }
        // SQLite would write a log that is left into the new file.
        for left in DatabasePaths.logFiles(of: made) + DatabasePaths.logFiles(of: file)
        where unlink(left) != 0 && errno != ENOENT {
            throw .writing(name, failedWith: .last)
        }
        guard rename(made, file) == 0 else { throw .writing(name, failedWith: .last) }
        try FolderSync.run(folder, naming: name)
    }

    /// Completes a spool whose making was interrupted.
    /// - Returns: whether it is one; if not, its content is unchanged.
    static func completeSpool(in folder: String, id: FolderID) throws(DataFolderError) -> Bool {
        do {
            return try SQLiteClickSpool.complete(folder: folder, id: id)
        } catch {
            throw makingFailed(error)
        }
    }

    private static func makingFailed(_ error: any Error) -> DataFolderError {
        let error = StorageError.translating(error)
        if (error as? StorageError) == .full { return .full }
        return .cannotWrite("a database", because: (error as? any StoreFailure)?.description ?? "unknown")
    }

    /// The latest time in any stored row. Those of the spool do not count beside a server that can be used: this node's
    /// clock may have been ahead, and all nodes would follow it.
    func latestTime() async throws -> Timestamp {
        let latest = try await storage.latestTime()
        return embedded != nil || storage is UnavailableStorage ? max(latest, spool.latestTime) : latest
    }

    /// The storage, if a backup copies it; `nil` if it is on a server, which has backups of its own.
    var backupSource: (any BackupSource)? { embedded }

    /// Each file, and the data folder that it was made for; `nil` if none is noted in it. Blocks the thread.
    func folders() throws -> [(name: String, folder: FolderID?)] {
        let files: [(name: String, folder: FolderID?)] = [(Self.spoolName, try spool.folder())]
        guard let embedded else { return files }
        return [(Self.storageName, try embedded.folder())] + files
    }

    /// Notes the folder in the files that have no note. On disk on return. Blocks the thread.
    func store(_ folder: FolderID) throws {
        try embedded?.store(folder)
        try spool.store(folder)
    }

    /// The opened files, which stay open while this value is used. Must be called right after the opening.
    func openFiles(in folder: String) -> [FolderWatch.File] {
        let databases = (embedded == nil ? [] : [Self.storageName]) + [Self.spoolName]
        return databases.flatMap { [$0, DatabasePaths.log(of: $0)] }.compactMap { FolderWatch.File($0, in: folder) }
    }

    /// Refuses all writes until a restart.
    func refuseWrites(because reason: String) {
        storage.refuseWrites(because: reason)
        spool.refuseWrites(because: reason)
    }

    /// Keeps the logs in the folder when the files are closed, for a start on a full disk. Blocks the thread.
    func keepLogs() throws {
        try embedded?.keepLog()
        try spool.keepLog()
    }

    /// The ids of all organizations, including those whose settings cannot be read.
    func organizationNames() async throws -> Set<String> { try await storage.organizationNames() }

    /// Closes both once they are no longer used. Blocks the thread.
    func close() throws {
        try spool.close()
        try storage.close()
    }
}
