import Identifiers

/// The newest finished backup in a folder for backups, found from the folder's content, so it survives a restart.
enum NewestBackup {
    /// The time up to which the newest backup contains everything that was acknowledged: the time when it was begun.
    /// Only complete backups count, and none that was begun later than now.
    ///
    /// - Parameters:
    ///   - folder: the folder in which each backup is a folder of its own.
    ///   - data: the data folder whose backup it must be; `nil` for any.
    ///   - now: the time of the system's clock.
    /// - Returns: nil if there is no such backup.
    static func startedAt(
        in folder: String, of data: FolderID?, now: Timestamp
    ) throws(UnreadableBackups) -> Timestamp? {
        let backups = try FinishedBackup.all(in: folder)
        return backups.first { !$0.isOfFuture(at: now) && $0.isComplete(of: data) }?.startedAt
    }

    /// The time for a new backup, by which it gets its name: `now`, or just after the newest backup if the clock was
    /// set back by a few seconds since, or shows the same time. So each backup has a name of its own, which sorts
    /// behind the older ones. Backups with a date in the future are passed over: one behind them would not count
    /// either.
    ///
    /// - Parameter now: the time of the system's clock, by which backups are judged.
    static func next(in folder: String, now: Timestamp) -> Timestamp {
        let backups = (try? FinishedBackup.all(in: folder)) ?? []
        guard let newest = backups.first(where: { !$0.isOfFuture(at: now) }) else { return now }
        return max(now, newest.startedAt.advanced(byMilliseconds: 1))
    }

    /// The name of a backup that was begun at `instant`: RFC 3339 without colons, which some file systems refuse.
    static func name(startedAt instant: Timestamp) -> String { instant.rfc3339.replacing(":", with: "-") }

    static let nameLength = "2026-01-01T00-00-00.000Z".count

    /// - Returns: nil for names that ``name(startedAt:)`` does not write, such as names of unfinished backups.
    static func startedAt(name: String) -> Timestamp? {
        guard let separator = name.firstIndex(of: "T") else { return nil }
        let text = name[...separator] + name[separator...].dropFirst().replacing("-", with: ":")
        guard let instant = try? Timestamp(rfc3339: String(text)), self.name(startedAt: instant) == name else {
            return nil
        }
        return instant
    }
}
