/// An error of a store or of a file of the service: the disk, the connection or stored data is at fault, not the
/// request. The description names no path, statement or value.
package protocol StoreFailure: Error, CustomStringConvertible {
    /// Whether the same call may succeed later without a restart, for example if there was no space or no file
    /// descriptor.
    var isTransient: Bool { get }
    /// Whether nothing is written because the storage is moved to another one.
    var isDuringMigration: Bool { get }
    /// Whether the call certainly had no effect, and may be made again.
    var isWithoutEffect: Bool { get }
}

extension StoreFailure {
    package var isDuringMigration: Bool { false }
    package var isWithoutEffect: Bool { isDuringMigration }
}
