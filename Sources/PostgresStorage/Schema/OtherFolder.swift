import StoragePorts

/// The database belongs to another data folder.
package struct OtherFolder: StoreFailure, Hashable {
    package init() {}
    package var description: String { "the database belongs to another data folder" }
    package var isTransient: Bool { true }
}
