package import Logging

/// The log of a process of this program: one JSON object a line on standard error.
package enum ProcessLog {
    /// Also forbids core files, which would contain the keys of the process: must be called before any key is read.
    /// - Returns: `nil` if `level` is no level.
    package static func begin(level: String) -> Logger? { Logger.Level(rawValue: level).map(begin) }

    /// As ``begin(level:)``.
    static func begin(_ level: Logger.Level) -> Logger {
        let logger = logger(level)
        if !CoreFiles.forbid() { logger.warning("core files of this process could not be disabled") }
        return logger
    }

    static func logger(_ level: Logger.Level) -> Logger {
        Logger(label: "consentlink") { JSONLogHandler(label: $0, logLevel: level) }
    }
}
