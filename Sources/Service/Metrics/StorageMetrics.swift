import Counting
import Foundation
import Identifiers
import SQLiteFiles

/// Free space, the sizes of the databases, what the spool lost, and the time of the last backup.
struct StorageMetrics: MetricSource {
    let dataFolder: String
    /// The id of the data folder.
    let folder: FolderID
    let backups: String
    /// How many commits of the spool were lost when the service started, at least.
    var lostSpoolCommits = 0
    /// The size of the main database if it is on a server.
    var bytesOnServer: @Sendable () -> Int64? = { nil }
    /// The time of the system's clock, which alerts also use.
    var now: @Sendable () -> Timestamp = { .now }

    var metrics: [MetricFamily] {
        let disks = [("data", dataFolder), ("backups", backups)].compactMap { label, folder in
            DiskSpace(ofFolder: folder).map { ([MetricFamily.Label("folder", label)], $0) }
        }
        return [
            .gauges(
                "consentlink_disk_free_bytes", "Bytes that the service can still write on the disk of a folder.",
                disks.map { ($0, Double($1.free)) }),
            .gauges(
                "consentlink_disk_size_bytes", "Size in bytes of the file system that a folder lies on.",
                disks.map { ($0, Double($1.total)) }),
            .gauges(
                "consentlink_store_bytes", "Size in bytes of a database and of its write-ahead log (-wal).", sizes),
            .counter(
                "consentlink_spool_commits_lost_total",
                "Commits of recorded clicks that the start could not read, because the spool's log is damaged.",
                UInt64(lostSpoolCommits)),
        ] + backupMetrics
    }

    private var backupMetrics: [MetricFamily] {
        let (newest, isReadable) = newestBackup
        return [
            .gauge(
                "consentlink_backup_last_success_timestamp_seconds",
                """
                When the newest whole backup of the data folder was begun, in seconds since 1970; 0 for none, and if \
                the folder for backups cannot be read.
                """,
                newest.map { Double($0.millisecondsSince1970) / 1000 } ?? 0),
            .gauge(
                "consentlink_backup_folder_readable",
                "Whether the folder for backups can be read: 1, also if it does not exist yet; 0 if not.",
                isReadable ? 1 : 0),
        ]
    }

    private var newestBackup: (startedAt: Timestamp?, isReadable: Bool) {
        do throws(UnreadableBackups) {
            return (try NewestBackup.startedAt(in: backups, of: folder, now: now()), true)
        } catch {
            return (nil, false)
        }
    }

    private var sizes: [([MetricFamily.Label], Double)] {
        let bytes = bytesOnServer()
        let databases = FolderDatabases.names(of: bytes == nil ? .sqlite : .postgres)
        let files = databases.flatMap { [$0, DatabasePaths.log(of: $0)] }.map { (file: $0, bytes: size(of: $0)) }
        let server = bytes.map { [(file: "postgresql", bytes: Double($0))] } ?? []
        return (server + files).map { ([.init("file", $0.file)], $0.bytes) }
    }

    /// 0 for a file that does not exist: a write-ahead log is removed when its database is closed.
    private func size(of file: String) -> Double {
        let attributes = try? FileManager.default.attributesOfItem(atPath: "\(dataFolder)/\(file)")
        return (attributes?[.size] as? NSNumber)?.doubleValue ?? 0
    }
}
