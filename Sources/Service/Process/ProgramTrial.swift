import CProcess
import Glibc
import NIOPosix
import SystemPackage

/// Tries whether a program starts at all: calls it with `--version`, in a process of its own. A file that was written
/// halfway begins as a program does, and would end the process that it replaces.
struct ProgramTrial: Sendable {
    /// The only variables that it gets; others may have secrets.
    private static let variables = ["PATH", "LD_LIBRARY_PATH"]
    private static let pollInterval = Duration.milliseconds(10)
    /// How long a killed program may take to end.
    private static let end = Duration.seconds(1)

    let program: String
    /// How long it may take.
    var timeout = Duration.seconds(5)

    private struct Start: Sendable {
        let process: pid_t
        /// The system's code; 0 on success.
        let failure: CInt
    }

    /// Runs the program without input, with none of this process's open files and signal handlers, and discards what it
    /// writes. Kills it when its time is over.
    ///
    /// - Parameter isGivenUp: asked every 10 ms; kills it, too.
    /// - Returns: why it cannot be started; `nil` if it ended with 0.
    /// - Throws: if this process is ending.
    func fault(unless isGivenUp: @escaping @Sendable () -> Bool = { false }) async throws -> String? {
        // The thread waits until the file is loaded.
        let start = try await NIOThreadPool.singleton.runIfActive { [program] in Self.start(program) }
        guard start.failure == 0 else { return "\(Errno(rawValue: start.failure))" }
        if let status = await Self.status(of: start.process, within: timeout, unless: isGivenUp) {
            return Self.fault(of: status)
        }
        // The negative number names its process group: it ends with all processes that it has started.
        kill(-start.process, SIGKILL)
        _ = await Self.status(of: start.process, within: Self.end, unless: { false })
        return "called with --version it does not end in time"
    }

    private static func start(_ program: String) -> Start {
        var files = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        posix_spawn_file_actions_init(&files)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&files)
            posix_spawnattr_destroy(&attributes)
        }
        if let failure = prepare(&files, &attributes) { return Start(process: 0, failure: failure) }
        let arguments = strings([program, "--version"])
        let environment = strings(
            variables.compactMap { name in getenv(name).map { value in "\(name)=" + String(cString: value) } })
        defer { for text in arguments + environment { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &files, &attributes, arguments, environment)
        return Start(process: process, failure: failure)
    }

    /// Copies that the caller must free, with a null pointer at the end.
    private static func strings(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var copies: [UnsafeMutablePointer<CChar>?] = []
        for text in texts { copies.append(strdup(text)) }
        copies.append(nil)
        return copies
    }

    /// - Returns: the system's code of a failure.
    private static func prepare(
        _ files: inout posix_spawn_file_actions_t, _ attributes: inout posix_spawnattr_t
    ) -> CInt? {
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        let codes: [CInt] = [
            posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0),
            posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDOUT_FILENO),
            posix_spawn_file_actions_adddup2(&files, STDIN_FILENO, STDERR_FILENO),
            consentlink_close_from(&files, STDERR_FILENO + 1),
            posix_spawnattr_setsigmask(&attributes, &none),
            posix_spawnattr_setsigdefault(&attributes, &all),
            // A group of its own: it can be killed with its children, and signals from a terminal do not reach it.
            posix_spawnattr_setpgroup(&attributes, 0),
            posix_spawnattr_setflags(&attributes, Int16(flags)),
        ]
        return codes.first { $0 != 0 }
    }

    /// - Returns: the status as waitpid(2) gives it; `nil` if the process has not ended in time.
    private static func status(
        of process: pid_t, within time: Duration, unless isGivenUp: @Sendable () -> Bool
    ) async -> CInt? {
        let end = ContinuousClock.now + time
        while true {
            var status: CInt = 0
            let found = waitpid(process, &status, WNOHANG)
            if found == process { return status }
            // Where the process ignores SIGCHLD, the kernel keeps no status: the program has ended somehow.
            if found < 0, errno == ECHILD { return 0 }
            guard ContinuousClock.now < end, !isGivenUp(), !Task.isCancelled else { return nil }
            try? await Task.sleep(for: pollInterval)
        }
    }

    private static func fault(of status: CInt) -> String? {
        let signal = status & 0x7F
        guard signal == 0 else { return "called with --version it is ended by signal \(signal)" }
        let code = status >> 8 & 0xFF
        return code == 0 ? nil : "called with --version it exits with \(code)"
    }
}
