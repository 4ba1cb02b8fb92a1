extension DataFolder {
    /// Refuses a start that would make a new folder in the place of one that was lost. An empty folder may be the mount
    /// point of a volume that is not there: then links that were sent would be unknown, and who said no as well.
    ///
    /// The id of what was lost is not known, so anything under a backup's name counts, also what is not whole: a start
    /// that is refused without need loses nothing.
    ///
    /// Looks only, and changes nothing.
    ///
    /// - Parameter settings: say so by themselves, or name a folder for backups that has one.
    static func requireUnlessNew(_ settings: ServiceSettings) throws(DataFolderError) {
        guard try FolderInspection(of: settings.dataFolder).state == .empty else { return }
        guard settings.missingData == .make, FinishedBackup.all(in: settings.backupPath).isEmpty else {
            throw .unusable(FolderFinding.folder, .lost)
        }
    }
}
