import StoragePorts

/// The erasure key differs from the one with which the database was made, so no recipient in it would be found.
package struct WrongErasureKey: StoreFailure, Hashable {
    package var description: String { "the erasure key is not the one this storage was made with" }

    package var isTransient: Bool { true }
}
