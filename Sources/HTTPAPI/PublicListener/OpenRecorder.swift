import Interactions
import Redirect
import Synchronization

/// Hands openings to the spool. A reader of a picture waits for the disk no longer than a reader who follows a link,
/// and an opening that could not be recorded in time is counted like such a click.
struct OpenRecorder {
    let writer: SpoolWriter
    let counters: RedirectCounters

    /// Returns when the opening is on disk, when it cannot be recorded, or after
    /// ``SpoolWriter/maximumReaderWait``.
    func record(_ opening: Occurrence) async {
        var timer: Task<Void, any Error>?
        await withCheckedContinuation { continuation in
            let wait = OpeningWait(reader: continuation, counters: counters)
            timer = Task {
                try await Task.sleep(for: SpoolWriter.maximumReaderWait)
                wait.abandon()
            }
            writer.submit([opening]) { wait.end($0) }
        }
        timer?.cancel()
    }
}

/// A reader who waits until an opening is on disk.
private final class OpeningWait: Sendable {
    /// Guards the waiting reader; `nil` once it was resumed. Held to take it.
    private let reader: Mutex<CheckedContinuation<Void, Never>?>
    private let counters: RedirectCounters

    init(reader: CheckedContinuation<Void, Never>, counters: RedirectCounters) {
        self.reader = Mutex(reader)
        self.counters = counters
    }

    /// The spool has answered.
    func end(_ outcome: SpoolOutcome) {
        let waiting = take()
        switch outcome {
        case .recorded: if waiting == nil { counters.openingRecordedLate() }
        case .unrecorded(let reason): if waiting != nil { counters.openingUnrecorded(reason) }
        }
        waiting?.resume()
    }

    /// The reader no longer waits.
    func abandon() {
        guard let waiting = take() else { return }
        counters.openingUnrecorded(.stuck)
        waiting.resume()
    }

    private func take() -> CheckedContinuation<Void, Never>? {
        reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
    }
}
