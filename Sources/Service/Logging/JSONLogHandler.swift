import Identifiers
import JSON
import Logging

/// Writes each log entry as one JSON object on a line of standard error.
struct JSONLogHandler: LogHandler {
    let label: String
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    /// Metadata names of libraries, and their names in this log.
    private static let renamed = ["hb.request.id": "request"]

    func log(event: LogEvent) { LogOutput.standardError.write(line(of: event)) }

    /// A line that tells of lines that could not be written.
    static func line(ofLost count: Int) -> [UInt8] {
        JSONLogHandler(label: "consentlink", logLevel: .warning).line(
            of: LogEvent(
                level: .warning, message: "lines of the log were lost, because nothing took them",
                metadata: ["lines": "\(count)"], source: "Service", file: #fileID, function: #function, line: #line))
    }

    /// One JSON object and a line feed.
    func line(of event: LogEvent) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.object { writer in
            writer.member("time", Timestamp.now.rfc3339)
            writer.member("level", event.level.rawValue)
            writer.member("message", event.message.description)
            writer.member("logger", label)
            let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
            for (name, value) in all.sorted(by: { $0.key < $1.key }) {
                writer.member(Self.renamed[name] ?? name, value.description)
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }

    subscript(metadataKey name: String) -> Logger.Metadata.Value? {
        get { metadata[name] }
        set { metadata[name] = newValue }
    }
}
