package import Interactions
import SQL

extension StorageError: SpoolFailure {
    package var unrecordedReason: UnrecordedReason { self == .full ? .full : .failed }

    package var mayPass: Bool { if case .failed = self { false } else { true } }
}
