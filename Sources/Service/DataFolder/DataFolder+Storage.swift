import Identifiers
import Logging
import Organizations
import SQLiteStorage

extension DataFolder {
    /// Opens the databases with `open`; what they say of themselves is told as a finding about the folder.
    static func naming(_ open: () throws -> SQLiteStorage) throws -> SQLiteStorage {
        do {
            return try open()
        } catch let error as StorageError {
            throw finding(error).map { DataFolderError.unusable([$0]) } ?? error
        }
    }

    private static func finding(_ error: StorageError) -> FolderFinding? {
        let databases = "\(SQLiteStorage.mainFileName) or \(SQLiteStorage.spoolFileName)"
        return switch error {
        case .wrongErasureKey: FolderFinding("erasure.key", .foreign)
        case .foreignFile: FolderFinding(databases, .foreign)
        case .newerSchema: FolderFinding(databases, .newer)
        case .failed(let fault) where fault.isDamage: FolderFinding(databases, .damaged)
        default: nil
        }
    }

    /// Holds the databases to the folder: they are its own, and have the ledger of every checkpoint. A folder without a
    /// manifest gets one.
    ///
    /// - Throws: ``DataFolderError/unusable(_:)``; the databases are then closed.
    func confirm(_ storage: SQLiteStorage, now: Timestamp) async throws {
        do {
            try requireOwn(storage)
            try await requireLedgers(storage)
            sign()
            guard events.contains(.unmarked) else { return }
            try storage.note(id)
            let (ring, file) = try keyRing()
            try file.write(ring)
            let manifest = FolderManifest(folder: id, madeAt: now, isComplete: true)
            try SecretFile(path: "\(path)/\(FolderManifest.fileName)").write(manifest.bytes)
        } catch {
            try? storage.close()
            throw error
        }
    }

    private func requireOwn(_ storage: SQLiteStorage) throws {
        let noted = try storage.folders()
        let isUnmarked = events.contains(.unmarked)
        let files = [(SQLiteStorage.mainFileName, noted.main), (SQLiteStorage.spoolFileName, noted.spool)]
        let foreign = files.filter { _, folder in folder.map { $0 != id } ?? !isUnmarked }
        guard foreign.isEmpty else { throw DataFolderError.unusable(foreign.map { FolderFinding($0.0, .foreign) }) }
    }

    private func requireLedgers(_ storage: SQLiteStorage) async throws {
        let known = try storage.organizationNames()
        let lost = try checkpointFiles().names().filter { !known.contains($0) }
        guard lost.isEmpty else {
            throw DataFolderError.unusable(
                lost.map { FolderFinding("\(Self.checkpoints)/\($0)\(CheckpointFiles.ending)", .withoutLedger) })
        }
    }

    func log(to logger: Logger) {
        for event in events {
            switch event {
            case .made: logger.warning("there was no data folder; a new one was made", metadata: ["folder": "\(id)"])
            case .unmarked:
                logger.warning("the data folder has no manifest; everything is there, so it gets one")
            case .otherOperatorKey:
                logger.warning(
                    """
                    operator.key is not the one of the last start, and was not made by consentlink init: who has it is \
                    the operator now
                    """)
            case .removedLeftover(let file):
                logger.warning(
                    "an unfinished file of a process that was killed was removed", metadata: ["file": "\(file)"])
            }
        }
    }
}
