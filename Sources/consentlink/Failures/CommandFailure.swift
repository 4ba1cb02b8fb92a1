import ArgumentParser

/// The exit codes of the contract.
enum ExitStatus {
    static let failed = ExitCode(1)
    /// Wrong usage or settings.
    static let usage = ExitCode(2)
    /// The data folder is in use by another process, or is not as the service left it.
    static let folderUnusable = ExitCode(3)

    /// As a shell tells of a process that a signal ended: 130 for SIGINT, 143 for SIGTERM.
    static func interrupted(by signal: CInt) -> ExitCode { ExitCode(128 + signal) }
}

/// Why a command did not do what it was asked to: what to tell, and the code to exit with.
struct CommandFailure: Error, CustomStringConvertible {
    let exitCode: ExitCode
    let description: String
    /// Whether asking again may help.
    let isTransient: Bool

    init(_ description: String, exitCode: ExitCode = ExitStatus.failed, isTransient: Bool = false) {
        self.description = description
        self.exitCode = exitCode
        self.isTransient = isTransient
    }

    /// With something more to tell in a line of its own.
    func adding(_ hint: String?) -> CommandFailure {
        CommandFailure(
            hint.map { "\(description)\n\($0)" } ?? description, exitCode: exitCode, isTransient: isTransient)
    }
}
