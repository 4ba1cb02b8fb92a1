package import Interactions
import SQL

extension StorageError: SpoolFailure {
    package var unrecordedReason: UnrecordedReason { self == .full ? .full : .failed }
}
