public import Foundation

/// A copy of the service's databases and keys, on the machine of the service.
public struct Backup: Sendable, Hashable, Decodable {
    /// A file of the backup, and its size.
    public struct File: Sendable, Hashable, Decodable {
        public let name: String
        public let bytes: Int
    }

    public let folder: String
    public let startedAt: Date
    public let finishedAt: Date
    /// `false` where the database is on a PostgreSQL server, which has backups of its own.
    public let includesDatabase: Bool
    public let files: [File]
}
