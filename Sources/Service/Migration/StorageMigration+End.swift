import PostgresClient
import PostgresStorage

/// How a move ends: its new database counts, or it is taken back. Both can be repeated from any point.
extension StorageMigration {
    /// - Returns: what to do with the old database; `nil` if no move has to be completed.
    func completeSwitched() async throws -> String? {
        guard try manifest().move?.state == .switched else { return nil }
        return try await finish()
    }

    /// Does what is left once the new database counts.
    func finish() async throws -> String {
        let manifest = try manifest()
        guard let move = manifest.move else { throw StorageMigrationError.noMove }
        let end = end(of: move, in: manifest)
        var untold: (any Error)?
        do {
            try await end.tellDatabases()
        } catch {
            // The running service must not wait for an old server that is gone.
            untold = error
        }
        try reach(.told)
        let service = RunningService(folder: path)
        let isServed = service.isRunning
        if isServed { try await service.restartOnMoved() }
        try reach(.served)
        if move.target == .postgres, isServed { try files.removeDatabase() }
        if let untold { throw StorageMigrationError.untold("\(untold)") }
        try end.complete()
        guard move.target == .postgres else {
            return """
                The old database is not used any more: drop it once you have a backup of the new one. No service starts \
                with it any more.
                """
        }
        return isServed
            ? "The old file was deleted: an erasure would not have reached it."
            : "The old file is deleted when the service has opened the new database."
    }

    /// Takes a move back that is not done. Nothing that was copied is continued afterwards, wherever this ends.
    func takeBack(_ open: FolderMigration) async throws {
        try change { $0.setMove(.begun) }
        try reach(.givenUp)
        if open.target == .sqlite {
            try files.removeCopy()
            // The copy may have come to its place. The database on the server counts.
            try files.removeDatabase()
        }
        try reach(.copyRemoved)
        let end = end(of: open, in: try manifest())
        if let source = open.database(.source), let server = try end.server(open.from) {
            try await MigrationClaim.release(source, to: end.id, server)
        }
        try reach(.released)
        try change { $0.abandonMove() }
        try reach(.abandoned)
    }

    /// Takes a move back that only the database on the server knows of.
    func releaseUnknown(_ server: PostgresSettings) async throws -> Bool {
        try await MigrationClaim.release(ofAnyMove: try manifest().folder, server)
    }

    private func end(of move: FolderMigration, in manifest: FolderManifest) -> MigrationEnd {
        MigrationEnd(
            folder: path, id: manifest.folder, move: move, durability: settings.durability,
            passwordFile: settings.storagePasswordFile, environment: environment)
    }

    var files: MigrationFiles { MigrationFiles(folder: path) }

    func change(_ body: (inout FolderManifest) -> Void) throws {
        var manifest = try manifest()
        body(&manifest)
        try manifest.write(in: path)
    }
}
