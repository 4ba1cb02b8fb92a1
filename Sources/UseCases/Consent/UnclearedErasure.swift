import Organizations

/// A recipient is erased, but a file still has what was deleted: something read an older state of it for too long. The
/// call that erased clears it when it is repeated.
package struct UnclearedErasure: StoreFailure {
    let cause: any StoreFailure

    package var isTransient: Bool { cause.isTransient }
    package var description: String { "a recipient is erased, but files are not cleared yet: \(cause)" }
}
