import Console
import HTTPAPI
import Identifiers
import Messages
import Redirect
import ServiceLifecycle
import StoragePorts
import UseCases

/// The operators' pages and actions in the console.
struct OperatingParts {
    let operations: Operations
    private let watch: ActivityWatch

    init(of parts: ServingParts, health: Health) {
        let (settings, stored, recording, useCases) = (parts.settings, parts.stored, parts.recording, parts.useCases)
        let watch = ActivityWatch(metrics: recording.redirect.metrics, writer: recording.writer, now: stored.now)
        let (shared, signer, unjudged) = (stored.shared, parts.ledgers.signer, stored.unjudgedClicks)
        let folders: [(ServiceState.Disk.Folder, String)] = [
            (.data, settings.dataFolder), (.backups, settings.backupPath),
        ]
        let (backups, folder) = (settings.backupPath, stored.folder.id)
        operations = Operations(
            settings: ProcessingSettings(
                storage: settings.storage.kind == .postgres ? .server : .embedded,
                linkLifetimeInDays: settings.linkLifetimeInDays, linkOrigin: parts.publicOrigin.text),
            state: {
                let seen = watch.update()
                return ServiceState(
                    sample: seen.sample, losses: seen.losses, history: seen.history, links: health.reasons(.links),
                    api: health.reasons(.api), unjudged: unjudged(),
                    disks: folders.compactMap { folder, path in
                        DiskSpace(ofFolder: path).map { ServiceState.Disk(folder, free: $0.free, total: $0.total) }
                    },
                    sharing: shared.map { ServiceState.Sharing(staleness: $0.staleness, isFresh: $0.isFresh) },
                    lastBackup: Self.lastBackup(in: backups, of: folder),
                    closedLedgers: signer.closedLedgers)
            },
            creator: OrganizationCreator(
                organizations: useCases.stores.organizations, quotas: useCases.quotas, signer: signer),
            rotation: useCases.keyRotation, backups: useCases.backups,
            keptBackups: { try? KeptBackups.all(in: backups, of: folder) }, retention: stored.retention,
            retentionActivity: { [runs = recording.retentionRuns] in runs.activity },
            isHeld: { [jobs = recording.jobs] in jobs.isHeld($0) }, nodes: shared)
        self.watch = watch
    }

    private static func lastBackup(in backups: String, of folder: FolderID) -> ServiceState.LastBackup {
        do throws(UnreadableBackups) {
            guard let newest = try NewestBackup.startedAt(in: backups, of: folder, now: .now) else { return .absent }
            return .begun(newest)
        } catch {
            return .unreadable
        }
    }

    var services: [any Service] { [watch] }
}
