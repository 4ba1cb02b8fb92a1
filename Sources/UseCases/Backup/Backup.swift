package import Identifiers

/// A copy of everything that the service keeps in its data folder: another one to start a service on.
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
    /// `false` where the database is on a server, which has backups of its own. Without one of these the folder is of no
    /// use.
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
