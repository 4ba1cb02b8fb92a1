import Foundation
import Glibc
package import Identifiers
import LocalFiles
import SQLiteFiles
import SystemPackage

/// The state of a service's files, whether or not it runs. Opens no database for writing and takes no lock.
package struct FolderDiagnosis {
    private let path: String
    private let backups: String
    private let storage: StorageKind?
    private let now: Timestamp

    /// - Parameters:
    ///   - backups: the folder for backups.
    ///   - storage: the storage that the folder must have been made for; `nil` for any.
    package init(data: String, backups: String, storage: StorageKind? = nil, now: Timestamp) {
        path = data
        self.backups = backups
        self.storage = storage
        self.now = now
    }

    /// Like ``init(data:backups:storage:now:)``, with the folders that a service would use, and the present time.
    package init(_ settings: ServiceSettings) {
        self.init(data: settings.dataFolder, backups: settings.backupPath, storage: settings.storage.kind, now: .now)
    }

    package var entries: [DiagnosisEntry] {
        let folder: FileStatus
        do throws(Errno) {
            guard let found = try FileStatus.find(path, followsLink: true) else {
                let lost = FolderFinding(FolderFinding.folder, .lost)
                return [DiagnosisEntry("folder", "\(path) does not exist", remedy: lost.remedy(in: path))]
            }
            folder = found
        } catch {
            return [unreadable(.reading(FolderFinding.folder, failedWith: error), "folder")]
        }
        let backups = BackupDiagnosis(
            backups: backups, folder: FolderManifest.seen(in: path)?.folder, now: now, readsDatabases: process == nil)
        return inspection(of: folder) + move + databases + sizes + disks + clock + backups.entries + checkpoints
    }

    /// The process that uses the folder, as the kernel tells; `nil` if there is none, or if it is not visible to this
    /// process.
    package var process: Int32? {
        guard let lock = FileStatus("\(path)/\(FolderFile.lock)"),
            let locks = FileContent.text("/proc/locks")
        else { return nil }
        // 1: FLOCK  ADVISORY  WRITE 1234 08:01:5678 0 EOF
        for line in locks.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count > 5, fields[1] == "FLOCK", let file = fields[5].split(separator: ":").last,
                UInt64(file) == lock.inode, let process = Int32(fields[4])
            else { continue }
            if process == FolderLock.process(in: path) { return process }
        }
        return nil
    }

    /// Whether a process uses this folder, even if the kernel does not show its lock.
    package func isHeld(by service: ListeningService) -> Bool {
        guard let folder = FileStatus(following: path) else { return false }
        return FileStatus(following: service.folder)?.identity == folder.identity
    }

    private func unreadable(_ error: DataFolderError, _ subject: String) -> DiagnosisEntry {
        DiagnosisEntry(
            subject, "\(error)",
            remedy: "Run this as the service's user, or as root, and see the rights of \(path) and what is above it.")
    }

    private func inspection(of folder: FileStatus) -> [DiagnosisEntry] {
        // Root may inspect the folder of another user, who must then own its files.
        let owner = geteuid() == 0 ? folder.owner : geteuid()
        let inspection: FolderInspection
        do throws(DataFolderError) {
            inspection = try FolderInspection(of: path, owner: owner)
        } catch {
            return [unreadable(error, "folder")]
        }
        let findings = inspection.findings.map {
            DiagnosisEntry("folder", $0.description, remedy: $0.remedy(in: path))
        }
        let leftovers = process == nil ? inspection.leftovers : []
        return [state(inspection)] + backup(inspection) + otherStorage(inspection) + findings
            + leftovers.map { DiagnosisEntry("folder", "\($0) is an unfinished file; the next start removes it") }
    }

    /// A move that is not done stops all writes; one that is not known everywhere needs one more start.
    private var move: [DiagnosisEntry] {
        guard let move = FolderManifest.seen(in: path)?.move, move.state != .done else { return [] }
        let again = "Run consentlink migrate --to \(move.to.shellWord) again"
        let entry =
            move.isDone
            ? DiagnosisEntry(
                "folder", "the storage was moved to \(move.to), and what is left of the move is not done",
                remedy: "\(again), or start the service once more.")
            : DiagnosisEntry(
                "folder", "a move of the storage to \(move.to) is not done, so the service takes no writes",
                remedy: "\(again), or end the move with consentlink migrate --abandon.")
        return [entry]
    }

    private func backup(_ inspection: FolderInspection) -> [DiagnosisEntry] {
        guard inspection.isBackup else { return [] }
        return [
            DiagnosisEntry(
                "folder",
                """
                it is a backup on which no service has started yet: it does not have the data that was recorded after \
                it was made
                """,
                remedy: "Do what docs/backup.md, After a restore, says before backends compose again.")
        ]
    }

    private func otherStorage(_ inspection: FolderInspection) -> [DiagnosisEntry] {
        guard let storage, inspection.findings.isEmpty else { return [] }
        do throws(DataFolderError) {
            try inspection.require(storage)
            return []
        } catch {
            return [
                DiagnosisEntry(
                    "folder", error.description,
                    remedy: "Set storage as the running service has it, or name its folder.")
            ]
        }
    }

    private func state(_ inspection: FolderInspection) -> DiagnosisEntry {
        switch inspection.state {
        case .empty:
            DiagnosisEntry(
                "folder", "\(path) is empty", remedy: FolderFinding(FolderFinding.folder, .lost).remedy(in: path))
        case .unfinished: DiagnosisEntry("folder", "\(path) is being made; nothing was served from it yet")
        case .made(let manifest):
            DiagnosisEntry("folder", "\(path), id \(manifest.folder), made \(manifest.madeAt.rfc3339)")
        case .unmarked where inspection.findings.contains(FolderFinding(FolderFile.manifest, .missing)):
            DiagnosisEntry("folder", "\(path) has no manifest")
        case .unmarked: DiagnosisEntry("folder", "\(path) has no manifest; a service that starts on it writes one")
        case .unknown: DiagnosisEntry("folder", "\(path) cannot be used")
        }
    }

    /// A running service finds damage in its databases itself.
    private var databases: [DiagnosisEntry] {
        let diagnosis = DatabaseFilesDiagnosis(folder: path) { process == nil }
        return process == nil ? diagnosis.entries : diagnosis.entriesInUse
    }

    private var sizes: [DiagnosisEntry] {
        FolderDatabases.names.flatMap { [$0, DatabasePaths.log(of: $0)] }.compactMap { name in
            FileStatus("\(path)/\(name)").map { DiagnosisEntry("size", "\(name) has \($0.size) bytes") }
        }
    }

    private var disks: [DiagnosisEntry] {
        [("data", path), ("backups", backups)].compactMap { name, folder in
            guard let disk = DiskSpace(ofFolder: folder) else { return nil }
            let text = "\(disk.free) of \(disk.total) bytes are free for \(name)"
            guard !disk.isReadOnly else {
                return DiagnosisEntry(
                    "disk", "the file system for \(name) is mounted read-only",
                    remedy: "See why (dmesg, /etc/fstab): a failing disk is mounted read-only. Then mount it writable."
                )
            }
            // The same bound as in the alert.
            let isShort = disk.free < disk.total / 10
            return DiagnosisEntry(
                "disk", text, remedy: isShort ? "Make room: on a full disk no click and no consent is recorded." : nil)
        }
    }

    /// If a file was changed later than now, the clock has gone back.
    private var clock: [DiagnosisEntry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let newest = names.compactMap { Self.changedAt("\(path)/\($0)") }.max()
        let text = "it is \(now.rfc3339)"
        guard let newest, newest > now.advanced(by: Self.clockTolerance) else {
            return [DiagnosisEntry("clock", text)]
        }
        return [
            DiagnosisEntry(
                "clock", "\(text), but a file of the folder was changed at \(newest.rfc3339)",
                remedy: "The clock has gone back. Set it by NTP (timedatectl), and keep it set.")
        ]
    }

    /// When the content of a file was last changed, by the system's clock.
    ///
    /// Read with Foundation: the members of `timespec`, which swift-system returns, are in two modules that this target
    /// imports.
    private static func changedAt(_ path: String) -> Timestamp? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let date = attributes?[.modificationDate] as? Date else { return nil }
        return Timestamp(millisecondsSince1970: Int64(date.timeIntervalSince1970 * 1000))
    }

    private static let clockTolerance = Duration.seconds(2)

    private var checkpoints: [DiagnosisEntry] {
        let folder = "\(path)/\(FolderFile.checkpoints)"
        let names: [String]
        do throws(DataFolderError) {
            names = try CheckpointFiles(folder: folder).names()
        } catch .unusable {
            // The inspection reports the folder if it must be there.
            return []
        } catch {
            return [unreadable(error, "checkpoints")]
        }
        let times = names.compactMap { Self.changedAt("\(folder)/\($0)\(CheckpointFiles.ending)") }
        guard let oldest = times.min(), let newest = times.max() else { return [] }
        return [
            DiagnosisEntry(
                "checkpoints",
                "\(names.count) of organizations, the newest of \(newest.rfc3339), the oldest of \(oldest.rfc3339)")
        ]
    }
}
