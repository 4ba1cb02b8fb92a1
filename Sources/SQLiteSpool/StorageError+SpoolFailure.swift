package import Interactions
package import SQLiteFiles

extension StorageError: SpoolFailure {
    package var unrecordedReason: UnrecordedReason { self == .full ? .full : .failed }
}
