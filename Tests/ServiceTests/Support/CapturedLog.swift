import Logging
import Synchronization

/// Keeps what is logged.
final class CapturedLog: Sendable {
    struct Line: Hashable, Sendable {
        let level: Logger.Level
        let message: String
        let metadata: [String: String]
    }

    private struct Handler: LogHandler {
        let log: CapturedLog
        var logLevel = Logger.Level.trace
        var metadata = Logger.Metadata()

        func log(event: LogEvent) {
            let line = Line(
                level: event.level, message: event.message.description,
                metadata: (event.metadata ?? [:]).mapValues(\.description))
            log.guarded.withLock { $0.append(line) }
        }

        subscript(metadataKey name: String) -> Logger.Metadata.Value? {
            get { metadata[name] }
            set { metadata[name] = newValue }
        }
    }

    private let guarded = Mutex<[Line]>([])

    var lines: [Line] { guarded.withLock { $0 } }
    var levels: [Logger.Level] { lines.map(\.level) }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }
}
