import Foundation
import Identifiers
import Logging

/// What a start does to the files of the data folder once the databases are open: it notes the setting `storage`, and
/// completes a move that was switched.
struct FolderAtStart {
    let settings: ServiceSettings
    let folder: FolderID
    /// The setting `storage` as it was given.
    let givenStorage: String
    let logger: Logger

    /// Notes the setting `storage`. If the main database is open, also deletes what moves have left, such as the old
    /// database, and completes the last move if its process was killed.
    /// - Parameter isUnavailable: whether the main one cannot be used, and is therefore not open.
    func databasesOpened(isUnavailable: Bool) {
        noteSetting()
        // Last: it may write the manifest, too, after this returns.
        if !isUnavailable { endMove() }
    }

    /// Removes what moves have left, and completes the last one if its process was killed.
    private func endMove() {
        let path = settings.dataFolder
        do {
            let files = MigrationFiles(folder: path)
            try files.removeCopy()
            guard let manifest = try FolderManifest.read(in: path) else { return }
            // The old file of a move to the server, or a copy that came to its place in a move that was given up.
            if manifest.storage == .postgres { try files.removeDatabase() }
            guard let move = manifest.move, move.state == .switched else { return }
            MigrationEnd(
                folder: path, id: folder, move: move, durability: settings.durability,
                passwordFile: settings.storagePasswordFile, environment: ProcessInfo.processInfo.environment
            ).run(logger)
        } catch {
            logger.error(
                "files of a moved database are left in the data folder, and may name people who are erased",
                metadata: ["error": "\(error)"])
        }
    }

    /// A full disk must not keep the service from starting. Without the note, a move does not compare its settings.
    private func noteSetting() {
        do {
            try StorageSettingNote(folder: settings.dataFolder).write(givenStorage)
        } catch {
            logger.warning("the setting storage is not noted in the manifest", metadata: ["error": "\(error)"])
        }
    }
}
