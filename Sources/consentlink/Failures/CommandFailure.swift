import ArgumentParser

/// The documented exit codes.
enum ExitStatus {
    static let failed = ExitCode(1)
    /// Wrong usage or settings.
    static let usage = ExitCode(2)
    /// Another process uses the data folder, or the folder is not as the service left it.
    static let folderUnusable = ExitCode(3)

    /// The code with which shells report a process that a signal ended: 129 for SIGHUP, 130 for SIGINT, 131 for SIGQUIT,
    /// 143 for SIGTERM.
    static func interrupted(by signal: CInt) -> ExitCode { ExitCode(128 + signal) }
}

/// Why a command failed: the message, and the exit code.
struct CommandFailure: Error, CustomStringConvertible {
    let exitCode: ExitCode
    let description: String
    /// Whether a retry may help.
    let isTransient: Bool

    init(_ description: String, exitCode: ExitCode = ExitStatus.failed, isTransient: Bool = false) {
        self.description = description
        self.exitCode = exitCode
        self.isTransient = isTransient
    }

    /// The same with a further line.
    func adding(_ hint: String?) -> CommandFailure {
        CommandFailure(
            hint.map { "\(description)\n\($0)" } ?? description, exitCode: exitCode, isTransient: isTransient)
    }
}
