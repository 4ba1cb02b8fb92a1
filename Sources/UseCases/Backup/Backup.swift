package import Identifiers

/// A copy of everything the service keeps: a data folder to start a service on.
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

    package init(folder: String, startedAt: Timestamp, finishedAt: Timestamp, files: [File]) {
        self.folder = folder
        self.startedAt = startedAt
        self.finishedAt = finishedAt
        self.files = files
    }
}
