import StoragePorts

/// A copy of a database cannot be written or read. The database that it is made from was only read, and is sound.
package struct FailedCopy: StoreFailure, Hashable {
    /// The file that is being made. For the log alone.
    package let path: String
    /// The system's or the engine's reason.
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// - Parameter error: of the copy, not of its source.
    package init(path: String, _ error: any Error) {
        let reason =
            switch error as? StorageError {
            case .failed(let fault)?, .refused(let fault)?: fault.description
            case .cannotCreateFile(let reason)?: reason
            case let other?: other.description
            case nil: "\(error)"
            }
        self.init(path: path, reason: reason)
    }

    package var description: String { "a copy of the database cannot be made: \(reason)" }
    package var isTransient: Bool { true }
}
