import ArgumentParser
import Dispatch
import Glibc
import Service

/// The effect on a command that takes long of SIGINT (Ctrl-C), SIGQUIT (Ctrl-\), SIGTERM and SIGHUP, which says that its
/// terminal is gone.
enum Interruption {
    /// How long the last line may take on standard error. A pipe whose reader has stopped accepts none.
    private static let patience = DispatchTimeInterval.seconds(1)

    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// From now on these signals end the process with a last line on standard error, and with 129, 130, 131 or 143. By
    /// itself, SIGQUIT would write a core file, which has the key.
    ///
    /// The kernel has all written bytes by then, so the process ends at once, as after SIGKILL, and without the line if
    /// standard error does not accept it. A signal that was ignored at the start, as with nohup(1), stays ignored.
    ///
    /// - Parameter lastLine: returns how far the command came and how to continue. Called on a thread of its own, even
    ///   while all other threads wait.
    static func end(saying lastLine: @escaping @Sendable () -> String) {
        for number in signals where !EarlySignals.isIgnored(number) {
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
                    _exit(ExitStatus.interrupted(by: number).rawValue)
                }
                // Erases the progress bar, or the terminal's output for Ctrl-C.
                if isatty(STDERR_FILENO) == 1 { StandardStream.error.tell("\r\u{1B}[K") }
                complain("consentlink: interrupted. \(lastLine())")
                withExtendedLifetime(source) { _exit(ExitStatus.interrupted(by: number).rawValue) }
            }
            source.resume()
        }
    }
}
