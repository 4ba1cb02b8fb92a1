import StoragePorts

/// Data was stored for the data folder before, and the database is empty.
package struct EmptiedDatabase: StoreFailure, Hashable {
    package init() {}
    package var description: String { "the database is empty, and the data folder is not new" }
    package var isTransient: Bool { true }
}
