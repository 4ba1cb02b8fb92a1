import Interactions
import Redirect

extension SpoolWriter {
    /// Stores an occurrence. Returns `nil` once it is on disk; otherwise why it could not be recorded.
    func store(_ occurrence: Occurrence) async -> UnrecordedReason? {
        await withCheckedContinuation { continuation in
            submit([occurrence]) { outcome in
                switch outcome {
                case .recorded: continuation.resume(returning: nil)
                case .unrecorded(let reason): continuation.resume(returning: reason)
                }
            }
        }
    }
}
