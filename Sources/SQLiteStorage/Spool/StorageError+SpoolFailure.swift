package import Interactions

extension StorageError: SpoolFailure {
    package var unrecordedReason: UnrecordedReason { self == .full ? .full : .failed }
}
