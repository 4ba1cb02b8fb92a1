import StoragePorts

/// A recipient is erased, but a file still contains deleted data, because a reader used an older state of it for too
/// long. ``ConsentRecording/clearErased()`` clears the file, or a repeated erasure.
package struct UnclearedErasure: StoreFailure {
    let cause: any StoreFailure

    package var isTransient: Bool { cause.isTransient }
    package var description: String { "a recipient is erased, but files are not cleared yet: \(cause)" }
}
