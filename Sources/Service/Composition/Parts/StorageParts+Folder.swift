import Logging
import Messages
import PostgresStorage
import StoragePorts

extension StorageParts {
    /// The move that a database on a server may know of: while the folder is moved from there, and after it was moved
    /// there.
    static func move(in folder: String) throws(DataFolderError) -> DatabaseMove? {
        guard let move = try FolderManifest.read(in: folder)?.move else { return nil }
        return move.database(move.isDone ? .target : .source)
    }

    static func identity(
        _ file: NodeFile, _ settings: ServiceSettings, _ logger: Logger
    ) throws -> NodeIdentity {
        if NodeFile.bootID.isEmpty {
            logger.warning(
                "the boot id of the machine cannot be read: a copy of the folder on a cloned machine is not noticed",
                metadata: ["file": "\(NodeFile.bootIDPath)"])
        }
        return try file.identity(
            name: settings.nodeName, version: ServiceVersion.current, peerAddress: settings.peerAddress?.text)
    }

    /// Two databases that are both used, after one was copied, each lack what the other records: a withdrawal, too.
    static func note(database number: String, in file: NodeFile, _ logger: Logger) {
        guard (try? file.store(database: number)) == true else { return }
        logger.error(
            """
            the database is another one than at the last start, such as a copy: see to it that every node uses this \
            one, and that no node uses the other one
            """)
    }

    static func seals(in file: NodeFile, _ logger: Logger) throws(DataFolderError) -> SealMemory {
        SealMemory(database: try file.sealedDatabase) { number in
            do {
                try file.store(sealedDatabase: number)
            } catch {
                logger.warning(
                    "it cannot be noted that ledgers must have seals: the next start goes by the database",
                    metadata: ["error": "\(error)"])
            }
        }
    }

    static func watch(
        _ folder: borrowing DataFolder, _ databases: FolderDatabases, hasMirror: Bool, _ logger: Logger
    ) -> FolderWatch {
        let mirror = hasMirror ? FolderWatch.File(FolderDatabases.mirrorName, in: folder.path) : nil
        // Checkpoints are written by their path, which must not lead elsewhere.
        let checkpoints = FolderWatch.File(FolderFile.checkpoints, in: folder.path)
        let files =
            folder.lockedFiles() + databases.openFiles(in: folder.path) + [mirror, checkpoints].compactMap { $0 }
        return FolderWatch(files) { loss in
            databases.refuseWrites(because: loss.description)
            logger.critical(
                "the data folder was changed under the running service",
                metadata: ["because": "\(loss)", "remedy": "\(FolderLoss.remedy)"])
        }
    }
}
