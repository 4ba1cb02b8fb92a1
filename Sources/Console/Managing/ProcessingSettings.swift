/// The settings of the whole service that records of processing contain.
package struct ProcessingSettings: Sendable {
    package enum Storage: Sendable {
        /// Files in the data folder.
        case embedded
        /// A PostgreSQL server.
        case server
    }

    let storage: Storage
    let linkLifetimeInDays: Int
    /// The beginning of links.
    let linkOrigin: String

    package init(storage: Storage, linkLifetimeInDays: Int, linkOrigin: String) {
        self.storage = storage
        self.linkLifetimeInDays = linkLifetimeInDays
        self.linkOrigin = linkOrigin
    }
}
