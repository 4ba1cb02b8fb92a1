import Foundation

extension ConsentLinkService {
    /// Makes the data folder of a node that joins others, if it is missing. Must be called first. Waits up to 30
    /// seconds for a database that cannot be reached.
    /// - Throws: ``DataFolderError``, ``SettingError`` or another `StoreFailure`.
    package static func prepareFolder(_ inForce: SettingsInForce) async throws {
        try DataFolder.requireUnlessNew(inForce.settings)
        let logger = ProcessLog.logger(inForce.settings.logLevel)
        let timeout = ServerPatience(longest: ServerPatience.standard, logger: logger)
        try await ClusterSecrets.prepareFolder(inForce.settings, timeout)
    }

    /// What the program before in this process handed over.
    static var handedOver: String? { ProcessInfo.processInfo.environment[InheritedSockets.variable] }

    /// Takes the folder, with the lock that the program before in this process may have handed over.
    static func take(_ inForce: SettingsInForce) throws(DataFolderError) -> DataFolder {
        let path = inForce.settings.dataFolder
        let inherited = InheritedLock(handedOver: handedOver)
        let folder = try DataFolder(
            at: path, storage: inForce.settings.storage.kind, inheriting: inherited, now: .now)
        // A move may have begun, or ended, before this process took the folder.
        guard try inForce.isUnchanged() else { throw .inUse(process: nil) }
        if let move = try FolderManifest.read(in: path)?.move, move.isDone, move.target == .sqlite {
            FolderMigration.removeNode(in: path)
        }
        return folder
    }
}
