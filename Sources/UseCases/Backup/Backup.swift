package import Identifiers

/// A copy of everything in the service's data folder, on which another service can be started.
package struct Backup: Sendable {
    package struct File: Sendable {
        package let name: String
        package let bytes: Int64

        package init(name: String, bytes: Int64) {
            self.name = name
            self.bytes = bytes
        }
    }

    package let folder: String
    package let startedAt: Timestamp
    package let finishedAt: Timestamp
    package let files: [File]
    /// `false` if the database is on a server, which needs a backup of its own. The folder cannot be used without that
    /// one.
    package let includesDatabase: Bool

    package init(
        folder: String, startedAt: Timestamp, finishedAt: Timestamp, files: [File], includesDatabase: Bool
    ) {
        self.folder = folder
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.files = files
        self.includesDatabase = includesDatabase
    }
}
