extension DataFolder {
    /// Refuses a start that would make a new folder in place of one that was lost. An empty folder may be the mount
    /// point of a missing volume: then links that were sent, and refusals of recipients, would be unknown.
    ///
    /// The id of the lost folder is not known, so any folder with a backup's name counts, even an incomplete one: a
    /// needless refusal loses nothing. So a folder for backups that cannot be read refuses the start, too.
    ///
    /// Only reads; changes nothing.
    ///
    /// - Parameter settings: they refuse a new folder themselves, or name a folder for backups that contains a backup.
    static func requireUnlessNew(_ settings: ServiceSettings) throws(DataFolderError) {
        guard try FolderInspection(of: settings.dataFolder).state == .empty else { return }
        guard settings.missingData == .make, try !hasBackups(settings.backupPath) else {
            throw .unusable(FolderFinding.folder, .lost)
        }
    }

    private static func hasBackups(_ folder: String) throws(DataFolderError) -> Bool {
        do throws(UnreadableBackups) {
            return try !FinishedBackup.all(in: folder).isEmpty
        } catch {
            throw .unreadableBackups(error)
        }
    }
}
