import Foundation
import StubService
import TestSupport
import Testing

/// The command as an operator runs it: a process of its own, with its exit code and what it writes.
struct CommandRun {
    let status: Int32
    let output: String
    let errors: String

    /// The command that was built together with these tests.
    private static var executable: URL {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(
            path: "consentlink")
    }

    /// - Parameters:
    ///   - arguments: of the command.
    ///   - input: what it reads from standard input.
    ///   - environment: nothing else is set but `PATH`.
    ///   - folder: the one in which it runs.
    ///   - redirection: such as `>/dev/full`, as a shell has it.
    ///   - mayEnd: asked again and again; once it says so, the command gets SIGTERM. (Shells start what runs in the
    ///     background with SIGINT ignored, and this process may be such a one.)
    static func of(
        _ arguments: [String], input: String = "", environment: [String: String] = ["CONSENTLINK_KEY": "clk_test"],
        in folder: TemporaryFolder? = nil, redirection: String? = nil,
        endedWhen mayEnd: (@Sendable () -> Bool)? = nil
    ) async throws -> CommandRun {
        try await TemporaryFolder.with { files in
            let process = Process()
            process.executableURL = executable
            process.arguments = arguments
            if let redirection {
                process.executableURL = URL(filePath: "/bin/sh")
                process.arguments = ["-c", #"exec "$@" "# + redirection, "sh", executable.path] + arguments
            }
            process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { mine, _ in mine }
            process.currentDirectoryURL = URL(filePath: (folder ?? files).path)
            process.standardInput = try FileHandle(forReadingFrom: URL(filePath: try files.write(input, to: "in")))
            process.standardOutput = try FileHandle(forWritingTo: URL(filePath: try files.write("", to: "out")))
            process.standardError = try FileHandle(forWritingTo: URL(filePath: try files.write("", to: "err")))
            let (ended, end) = AsyncStream<Void>.makeStream()
            process.terminationHandler = { _ in end.finish() }
            try process.run()
            if let mayEnd {
                #expect(await eventually { mayEnd() || !process.isRunning })
                process.terminate()
            }
            for await _ in ended {}
            return CommandRun(
                status: process.terminationStatus, output: try files.text(of: "out"), errors: try files.text(of: "err"))
        }
    }

    /// Calls a service at `server`.
    static func of(
        _ arguments: String..., at server: StubServer, input: String = "", in folder: TemporaryFolder? = nil
    ) async throws -> CommandRun {
        try await of(arguments + ["--api", server.base], input: input, in: folder)
    }
}
