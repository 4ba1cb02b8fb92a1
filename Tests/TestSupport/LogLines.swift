package import Logging
import Synchronization

/// What was logged, each line as its message and its metadata in order.
package final class LogLines: Sendable {
    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        init(lines: LogLines) { self.lines = lines }

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { lines.add("\(event.message)", event.metadata ?? [:]) }
    }

    private let lines = Mutex<[String]>([])

    package init() {}

    package var all: [String] { lines.withLock { $0 } }

    /// Logs here, from level `info` on.
    package var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private func add(_ message: String, _ metadata: Logger.Metadata) {
        let pairs = metadata.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        lines.withLock { $0.append(([message] + pairs).joined(separator: " ")) }
    }
}
