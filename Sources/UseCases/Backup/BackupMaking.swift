/// Makes backups while the service runs, one at a time.
package protocol BackupMaking: Sendable {
    /// Makes a backup of everything that was acknowledged before the call, except of a database on a server. Durable on
    /// return. It has no recipient who was erased before it was finished.
    ///
    /// - Throws: ``BackupError``, or a `StoreFailure`. Then there is no backup, not even a part of one.
    func make() async throws -> Backup
}
