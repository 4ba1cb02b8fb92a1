package import Logging

/// The log of a process of this program: one JSON object a line on standard error.
package enum ProcessLog {
    /// Also forbids core files, which would have the keys of the process in them: to be called before any is read.
    /// - Returns: `nil` for what is no level.
    package static func begin(level: String) -> Logger? {
        guard let level = Logger.Level(rawValue: level) else { return nil }
        let logger = Logger(label: "consentlink") { JSONLogHandler(label: $0, logLevel: level) }
        if !CoreFiles.forbid() { logger.warning("a core file of this process cannot be ruled out") }
        return logger
    }
}
