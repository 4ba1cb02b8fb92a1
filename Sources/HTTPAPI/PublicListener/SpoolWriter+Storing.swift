import Interactions
import Redirect

extension SpoolWriter {
    /// Has an occurrence on disk when it returns `true`; `false` when it could not be recorded.
    func store(_ occurrence: Occurrence) async -> Bool {
        await withCheckedContinuation { continuation in
            submit([occurrence]) { outcome in
                switch outcome {
                case .recorded: continuation.resume(returning: true)
                case .unrecorded: continuation.resume(returning: false)
                }
            }
        }
    }
}
