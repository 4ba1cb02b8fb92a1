/// Makes backups while the service runs, one at a time.
package protocol BackupMaking: Sendable {
    /// Makes a backup of everything that was acknowledged before the call, except of what is in a database on a server.
    /// Durable on return. No recipient who was erased before it was finished is in it.
    ///
    /// - Throws: ``BackupError``, or a `StoreFailure`. Then there is no backup, not even a part of one.
    func make() async throws -> Backup
}
