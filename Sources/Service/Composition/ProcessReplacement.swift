import Foundation
import Glibc
import Logging

/// Replaces this process by a new image of the same program, with the same arguments, environment and number. Where the
/// program's file was replaced by another version, that one starts.
enum ProcessReplacement {
    /// Does not return unless it fails.
    /// - Parameter sockets: stay open.
    static func run(_ sockets: SocketParts, logger: Logger) {
        setenv(InheritedSockets.variable, sockets.handOver(), 1)
        // A signal that is ignored, or kept back, would stay so.
        for number in [SIGTERM, SIGINT, SIGUSR2] { signal(number, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        execv(program, CommandLine.unsafeArgv)
        unsetenv(InheritedSockets.variable)
        logger.critical("the program could not be started again: \(String(cString: strerror(errno)))")
    }

    /// As it was called, or as the kernel knows it where it was found by `PATH`.
    private static var program: String {
        let called = CommandLine.arguments.first ?? ""
        if called.contains("/") { return called }
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? called
    }
}
