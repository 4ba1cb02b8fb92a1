import Cryptography
import Identifiers
import Organizations
import SQLiteFiles
import SQL
import SQLStorage
import SQLiteSpool
import SQLiteStorage

/// The databases of a data folder: the storage and the spool. One process at a time may have them open.
struct FolderDatabases: Sendable {
    static let storageName = SQLiteStorage.fileName
    static let spoolName = SQLiteClickSpool.fileName
    static let names = [storageName, spoolName]

    let storage: SQLiteStorage
    let spool: SQLiteClickSpool

    /// Opens both. Blocks the thread while it opens a file.
    ///
    /// - Parameters:
    ///   - observer: is told of every change of the rules.
    ///   - clock: tells the time of everything that is stored; must not go back behind ``latestTime()``.
    /// - Throws: ``DataFolderError/unusable(_:)`` for what they say of themselves, or a `StoreFailure`.
    init(
        in folder: String, erasureKey: SecretBytes, ledgerHost: String, observer: any RuleObserver,
        clock: @escaping @Sendable () -> Timestamp
    ) async throws {
        do {
            storage = try SQLiteStorage.open(
                folder: folder, erasureKey: erasureKey, ledgerHost: ledgerHost, observer: observer,
                clock: clock)
            do {
                spool = try SQLiteClickSpool(
                    folder: folder, slot: .single, drained: try await storage.lastInteraction(), clock: clock)
            } catch {
                try? storage.close()
                throw error
            }
        } catch {
            throw Self.finding(error).map { DataFolderError.unusable([$0]) } ?? error
        }
    }

    private static func finding(_ error: any Error) -> FolderFinding? {
        let databases = names.joined(separator: " or ")
        return switch error {
        case is WrongErasureKey: FolderFinding("erasure.key", .foreign)
        case StorageError.foreignFile: FolderFinding(databases, .foreign)
        case StorageError.newerSchema: FolderFinding(databases, .newer)
        case StorageError.failed(let fault) where fault.isDamage: FolderFinding(databases, .damaged)
        default: nil
        }
    }

    /// Makes both, empty, for a data folder. What is there already is kept. On disk on return. Blocks the thread.
    static func make(in folder: String, id: FolderID) throws(DataFolderError) {
        do {
            try SQLiteStorage.make(folder: folder, id: id)
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

    private static func makingFailed(_ error: any Error) -> DataFolderError {
        (error as? StorageError) == .full ? .full : .cannotWrite("a database")
    }

    /// The latest time that anything stored carries.
    func latestTime() async throws -> Timestamp { max(try await storage.latestTime(), spool.latestTime) }

    /// Each database, and the data folder that it was made for; `nil` for one in which none is noted. Blocks the thread.
    func folders() throws -> [(name: String, folder: FolderID?)] {
        [(Self.storageName, try storage.folder()), (Self.spoolName, try spool.folder())]
    }

    /// Notes the folder in the databases in which none is noted. On disk on return. Blocks the thread.
    func note(_ folder: FolderID) throws {
        try storage.note(folder)
        try spool.note(folder)
    }

    /// The ids of all organizations, those whose settings cannot be read included.
    func organizationNames() async throws -> Set<String> { try await storage.organizationNames() }

    /// Closes both once nobody uses them any more. Blocks the thread.
    func close() throws {
        try spool.close()
        try storage.close()
    }
}
