import Identifiers
import LocalFiles
import SQLiteFiles
import SystemPackage

/// The state of the backups of a data folder.
struct BackupDiagnosis {
    private static let oldAge = Duration.hours(36)

    /// The folder for backups.
    let backups: String
    /// The data folder whose backups they must be; `nil` for any.
    let folder: FolderID?
    let now: Timestamp
    /// Whether the databases of the newest backup are read from beginning to end, which takes as long as the disk needs
    /// for that. If not, only their schemas are compared.
    let readsDatabases: Bool

    var entries: [DiagnosisEntry] {
        do throws(UnreadableBackups) {
            let named = try FinishedBackup.all(in: backups)
            let unfinished = try UnfinishedBackup.old(in: backups, now: now)
            let whole = named.filter { $0.isComplete(of: folder) }
            let last = whole.first { !$0.isOfFuture(at: now) }
            return [newest(last, of: whole)] + damage(of: last) + ofFuture(whole) + unfinished.map(leftOver)
        } catch {
            return [
                DiagnosisEntry(
                    "backup", "\(error), so it is unknown whether there is a backup",
                    remedy: """
                        Mount its volume, or correct its owner and its rights. Run this as the service's user, or as \
                        root.
                        """)
            ]
        }
    }

    private func leftOver(_ name: String) -> DiagnosisEntry {
        DiagnosisEntry(
            "backup", "\(name) was never finished, and holds recipients who were erased since it was begun",
            remedy: "Remove \(backups)/\(name): the service whose backup it was removes it when it starts.")
    }

    private func newest(_ last: FinishedBackup?, of whole: [FinishedBackup]) -> DiagnosisEntry {
        guard let last = last?.startedAt else {
            let none = whole.isEmpty ? "there is no backup" : "there is no backup with a date that has passed"
            return DiagnosisEntry(
                "backup", "\(none) of this data folder in \(backups)",
                remedy: "Make one while the service runs: consentlink backup; and have a timer do it every night.")
        }
        let isOld = last.advanced(by: Self.oldAge) < now
        return DiagnosisEntry(
            "backup", "the newest backup is of \(last.rfc3339)",
            remedy: isOld ? "It is older than a day and a half: see why the timer does not run." : nil)
    }

    /// A backup is a copy of the pages of a database, so it has the damage that the database had.
    private func damage(of backup: FinishedBackup?) -> [DiagnosisEntry] {
        guard let backup else { return [] }
        guard readsDatabases else {
            return FolderDatabases.schemaFindings(in: backup.path).map { Self.entry($0.file, $0.fault) }
        }
        return FolderDatabases.names.compactMap { name in
            let path = "\(backup.path)/\(name)"
            guard let file = FileStatus(path), file.type == .regular, file.size > 0 else { return nil }
            let check = FileCheck(path: path, schema: FolderDatabases.schema(of: name))
            switch check {
            case .sound, .unchecked: return nil
            case .foreignCode, .foreignSchema, .foreignFile, .newer:
                return check.schemaFault.map { Self.entry(name, $0) }
            case .unreadable(let reason): return Self.entry("\(Self.newest(name)) cannot be read to its end: \(reason)")
            case .damaged(let fault): return Self.entry("\(Self.newest(name)) is damaged: \(fault)")
            }
        }
    }

    private static func newest(_ name: String) -> String { "\(name) of the newest backup" }

    private static func entry(_ name: String, _ fault: FolderFinding.Fault) -> DiagnosisEntry {
        entry(FolderFinding(newest(name), fault).description)
    }

    private static func entry(_ text: String) -> DiagnosisEntry {
        DiagnosisEntry(
            "backup", text,
            remedy: "Keep the older backups: restore one of them if this folder's own database is damaged, too.")
    }

    private func ofFuture(_ backups: [FinishedBackup]) -> [DiagnosisEntry] {
        backups.filter { $0.isOfFuture(at: now) }.map { backup in
            DiagnosisEntry(
                "backup", "\(backup.name) has a date in the future, and does not count",
                remedy: """
                    Keep it for now. The clock was ahead when it was made, or is behind now: set it by NTP \
                    (timedatectl). If the date is in the future even then, make a new backup, and remove this one \
                    only when the doctor names the new one as the newest.
                    """)
        }
    }
}
