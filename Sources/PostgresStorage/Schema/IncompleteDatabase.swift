import StoragePorts

/// The database belongs to the data folder, and not all of it is there yet: it is being restored.
package struct IncompleteDatabase: StoreFailure, Hashable {
    package init() {}
    package var description: String { "the database is not complete: it is being restored" }
    package var isTransient: Bool { true }
}
