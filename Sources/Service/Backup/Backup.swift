import Identifiers

/// A copy of everything the service keeps: a data folder to start a service on.
struct Backup {
    struct File {
        let name: String
        let bytes: Int64
    }

    let folder: String
    let startedAt: Timestamp
    let finishedAt: Timestamp
    let files: [File]
}
