/// What is set for the whole service, and stands in records of processing.
package struct ProcessingSettings: Sendable {
    package enum Storage: Sendable {
        /// Files in the data folder.
        case embedded
        /// A PostgreSQL server.
        case server
    }

    let storage: Storage
    let linkLifetimeInDays: Int
    /// What links begin with.
    let linkOrigin: String

    package init(storage: Storage, linkLifetimeInDays: Int, linkOrigin: String) {
        self.storage = storage
        self.linkLifetimeInDays = linkLifetimeInDays
        self.linkOrigin = linkOrigin
    }
}
