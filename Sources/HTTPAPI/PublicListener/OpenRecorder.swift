import Interactions
import Redirect
import Waiting

/// Hands openings to the spool. A reader of a picture waits for the disk no longer than a reader who follows a link,
/// and an opening that could not be recorded in time is counted like such a click.
struct OpenRecorder {
    let writer: SpoolWriter
    let counters: RedirectCounters

    /// Returns when the opening is on disk, when it cannot be recorded, or after
    /// ``SpoolWriter/maximumReaderWait``.
    func record(_ opening: Occurrence) async {
        var timer: Task<Void, any Error>?
        await withCheckedContinuation { (reader: CheckedContinuation<Void, Never>) in
            let first = FirstResult(reader)
            timer = Task {
                try await Task.sleep(for: SpoolWriter.maximumReaderWait)
                guard let reader = first.take() else { return }
                counters.openingUnrecorded(.stuck)
                reader.resume()
            }
            writer.submit([opening]) { outcome in
                let reader = first.take()
                switch outcome {
                case .recorded: if reader == nil { counters.openingRecordedLate() }
                case .unrecorded(let reason): if reader != nil { counters.openingUnrecorded(reason) }
                }
                reader?.resume()
            }
        }
        timer?.cancel()
    }
}
