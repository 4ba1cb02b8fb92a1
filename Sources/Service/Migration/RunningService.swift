import Glibc
import LocalFiles
import SystemPackage

/// The service that uses a data folder, if there is one, seen from another process of the same user.
struct RunningService {
    private static let pause = Duration.milliseconds(20)
    /// After this time a service that was told to start again counts as stuck.
    private static let timeout = Duration.seconds(120)
    /// A service that starts takes its folder sooner.
    private static let maximumStartDuration = Duration.seconds(10)

    let folder: String

    /// Whether a process holds the folder.
    var isRunning: Bool { FolderLock.isHeld(in: folder) }

    /// Whether a service runs that does not write to the main database.
    var isReadOnly: Bool {
        guard isRunning, let stage = FolderLock.stage(in: folder) else { return false }
        return stage == .readOnly || stage == .readOnlyAlone
    }

    /// Makes the service read the folder's notes again, and waits until it is at this stage.
    /// - Throws: ``StorageMigrationError/serviceEnded`` if it does not come back,
    ///   ``StorageMigrationError/unusableForService`` if it cannot use the database that its own is moved to.
    func restart(until stage: FolderLock.Stage) async throws {
        let deadline = ContinuousClock.now + Self.timeout
        // A signal would end a service that does not handle it yet.
        try await wait(until: deadline) { FolderLock.stage(in: folder)?.isReady ?? false }
        let before = FolderLock.stage(in: folder)
        guard before != stage else { return }
        guard let process = FolderLock.process(in: folder), kill(process, SIGUSR2) == 0 else {
            throw StorageMigrationError.serviceEnded
        }
        // The file has the old stage until the program has started again.
        try? await wait(until: min(deadline, .now + Self.maximumStartDuration)) {
            FolderLock.stage(in: folder) != before
        }
        try await wait(until: deadline) { [stage, .readOnlyAlone].contains(FolderLock.stage(in: folder)) }
        guard FolderLock.stage(in: folder) == stage else { throw StorageMigrationError.unusableForService }
    }

    /// Makes the service use the database that the main one was moved to.
    /// - Throws: ``StorageMigrationError/serviceEndedAfterMove`` if it does not come back.
    func restartOnMoved() async throws {
        do {
            try await restart(until: .serving)
        } catch StorageMigrationError.serviceEnded {
            throw StorageMigrationError.serviceEndedAfterMove
        }
    }

    private func wait(until deadline: ContinuousClock.Instant, _ isReached: () -> Bool) async throws {
        var lastSeen = ContinuousClock.now
        while !isReached() {
            let now = ContinuousClock.now
            // A service that starts again releases the folder for a moment.
            if isRunning { lastSeen = now }
            guard now < deadline, now - lastSeen < Self.maximumStartDuration else {
                throw StorageMigrationError.serviceEnded
            }
            try await Task.sleep(for: Self.pause)
        }
    }
}
