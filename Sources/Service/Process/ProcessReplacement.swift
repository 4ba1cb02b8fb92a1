import CProcess
import Foundation
import Glibc
import LocalFiles
import SystemPackage

/// Replaces this process by a new image of the same program, with the same arguments, environment and process number.
/// If the program's file was replaced by another version, that version starts.
enum ProcessReplacement {
    /// The program cannot be started again.
    struct Failure: Error, CustomStringConvertible {
        let program: String
        let reason: String

        var description: String { "the program \(program) cannot be started again: \(reason)" }
    }

    /// Returns if the process is not to start again; otherwise it only returns by throwing.
    /// - Parameters:
    ///   - handOver: makes the sockets and the lock of the folder stay open, and returns ``InheritedSockets/variable``
    ///     for them. All other files are closed.
    ///   - isRestart: called last, when signals are held back.
    static func run(
        _ handOver: () -> String, _ signals: ProcessSignals, if isRestart: () -> Bool
    ) throws(Failure) {
        guard isRestart() else { return }
        LogOutput.standardError.flush()
        consentlink_close_files_on_exec()
        setenv(InheritedSockets.variable, handOver(), 1)
        signals.hold()
        guard isRestart() else { return }
        execv(program, CommandLine.unsafeArgv)
        let error = Errno.last
        unsetenv(InheritedSockets.variable)
        throw Failure(program: program, reason: "\(error)")
    }

    /// Checks that a program exists and may be executed. ``ProgramTrial`` tells whether it starts.
    static func check(_ program: String) throws(Failure) {
        if let type = FileStatus(following: program)?.type, type != .regular {
            throw Failure(program: program, reason: "it is not a file")
        }
        guard access(program, X_OK) == 0 else { throw Failure(program: program, reason: "\(Errno.last)") }
        // A program may be executable and not readable.
        guard let file = FileHandle(forReadingAtPath: program) else { return }
        let begin = Array((try? file.read(upToCount: 4)) ?? Data())
        guard begin == [0x7F] + Array("ELF".utf8) || begin.starts(with: Array("#!".utf8)) else {
            throw Failure(program: program, reason: "it is not a program")
        }
    }

    /// The program that replaces this one.
    static var program: String {
        program(
            called: CommandLine.arguments.first ?? "",
            running: try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    }

    /// The path by which it was called, or the kernel's path if it was found by `PATH`.
    ///
    /// - Parameter running: the target of `/proc/self/exe`; it ends in " (deleted)" once its file was replaced.
    static func program(called: String, running: String?) -> String {
        guard !called.contains("/"), let running else { return called }
        let mark = " (deleted)"
        guard running.hasSuffix(mark), access(running, F_OK) != 0 else { return running }
        return String(running.dropLast(mark.count))
    }
}
