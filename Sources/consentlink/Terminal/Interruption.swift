import ArgumentParser
import Dispatch
import Glibc
import Service

/// What SIGINT (Ctrl-C) and SIGTERM do to a command that takes long.
enum Interruption {
    /// How long standard error may take for the last line. A pipe whose reader has stopped takes none.
    private static let patience = DispatchTimeInterval.seconds(1)

    /// From now on they end the process with a last line on standard error, and with 130 or 143.
    ///
    /// What is written is the kernel's by then, so the process ends at once, as it would by SIGKILL, and without the
    /// line where nobody takes it. A signal that was ignored when the process began, as behind nohup(1), stays so.
    ///
    /// - Parameter lastLine: says how far the command came and how to go on. Called on a thread of its own, also while
    ///   all others wait.
    static func end(saying lastLine: @escaping @Sendable () -> String) {
        for number in [SIGINT, SIGTERM] where !EarlySignals.isIgnored(number) {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
                    _exit(ExitStatus.interrupted(by: number).rawValue)
                }
                // The line of the progress bar, or what the terminal shows of Ctrl-C.
                if isatty(STDERR_FILENO) == 1 { StandardStream.error.tell("\r\u{1B}[K") }
                complain("consentlink: interrupted. \(lastLine())")
                withExtendedLifetime(source) { _exit(ExitStatus.interrupted(by: number).rawValue) }
            }
            source.resume()
        }
    }
}
