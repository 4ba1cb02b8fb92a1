import Organizations

/// The erasure key is not the one that the database was made with. With it nobody in the database would be recognised.
package struct WrongErasureKey: StoreFailure, Hashable {
    package var description: String { "the erasure key is not the one this storage was made with" }

    package var isTransient: Bool { true }
}
