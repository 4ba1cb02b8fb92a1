import Service
import Synchronization

/// Shows the progress of a move on standard error: a line for each table, and one for every second that it takes.
final class MigrationDisplay: Sendable {
    private static let interval = Duration.seconds(1)

    /// Guards the last output, and its time.
    private let last = Mutex<(line: String, shown: String, at: ContinuousClock.Instant)>(("", "", .now - interval))

    func show(_ step: StorageMigration.Step) {
        let line =
            switch step {
            case .holding: "The service stops writing."
            case .copying(let table, let rows, let total): "copying \(table): \(rows) of \(total) rows"
            case .comparing(let part): "comparing: \(Int(part * 100)) % of the entries"
            case .switching: "switching"
            }
        let isEnd = if case .copying(_, let rows, let total) = step { rows >= total && total > 0 } else { false }
        last.withLock { last in
            last.line = line
            let now = ContinuousClock.now
            guard isEnd || now - last.at >= Self.interval, line != last.shown else { return }
            last.shown = line
            last.at = now
            Self.write(line)
        }
    }

    func end() {
        last.withLock { last in
            if last.line != last.shown { Self.write(last.line) }
        }
    }

    private static func write(_ line: String) {
        StandardStream.error.tell("\(line)\n")
    }
}
