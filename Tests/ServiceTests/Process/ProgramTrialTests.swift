import Foundation
import Glibc
import LocalFiles
import TestSupport
import Testing

@testable import Service

/// Whether a program starts, before a running service is given up for it.
@Suite struct ProgramTrialTests {
    private func withScript(_ text: String, _ body: (TemporaryFolder, ProgramTrial) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            let path = try folder.write("#!/bin/sh\n\(text)\n", to: "program")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            try await body(folder, ProgramTrial(program: path))
        }
    }

    @Test(
        "a program that says its version starts, and any other end is told",
        arguments: [
            ("[ \"$*\" = --version ]", nil), ("exit 3", "exits with 3"), ("kill -SEGV $$", "is ended by signal 11"),
        ] as [(String, String?)])
    func ends(_ text: String, _ expected: String?) async throws {
        try await withScript(text) { _, trial in
            let fault = try await trial.fault()
            #expect(fault == expected.map { "called with --version it \($0)" })
        }
    }

    @Test("the beginning of a program, as an upgrade leaves it that was cut off, does not start")
    func half() async throws {
        try await TemporaryFolder.with { folder in
            let shell = try Data(contentsOf: URL(filePath: "/bin/sh"))
            let path = try folder.write(Array(shell.prefix(shell.count / 2)), to: "program")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            try ProcessReplacement.check(path)
            #expect(try await ProgramTrial(program: path).fault() != nil)
        }
    }

    @Test("a file that is not there, or is no program, is told with the system's reason")
    func noProgram() async throws {
        try await TemporaryFolder.with { folder in
            let missing = ProgramTrial(program: folder.path(of: "missing"))
            let fault = try await missing.fault()
            #expect(fault == "No such file or directory")
            let path = try folder.write("text", to: "program")
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            #expect(try await ProgramTrial(program: path).fault() == "Exec format error")
        }
    }

    @Test("it gets no open file and no variable that may be secret, and nothing of what it says is shown")
    func inherited() async throws {
        // The program gets it unless it is closed.
        let file = fcntl(STDERR_FILENO, F_DUPFD, 200)
        try #require(file >= 200)
        defer { close(file) }
        let text = """
            [ -e /proc/$$/fd/\(file) ] && exit 9
            [ "$(readlink /proc/$$/fd/1)" = /dev/null ] && [ "$(readlink /proc/$$/fd/2)" = /dev/null ] || exit 8
            env > "$(dirname "$0")/environment"
            """
        try await withScript(text) { folder, trial in
            let fault = try await trial.fault()
            #expect(fault == nil)
            let names = try folder.text(of: "environment").split(separator: "\n").map { line in
                String(line.prefix { $0 != "=" })
            }
            // The shell adds its own.
            let known: Set = ["PATH", "LD_LIBRARY_PATH", "PWD", "OLDPWD", "SHLVL", "_"]
            #expect(Set(names).isSubset(of: known), "\(names)")
        }
    }

    @Test("one that does not end is told")
    func endless() async throws {
        try await withScript("exec sleep 600") { _, trial in
            var trial = trial
            trial.timeout = .milliseconds(100)
            let fault = try await trial.fault()
            #expect(fault == "called with --version it does not end in time")
        }
    }

    @Test("one that nobody waits for any more is killed with its children")
    func givenUp() async throws {
        let text = """
            sleep 600 & echo $! > "$0.new"
            mv "$0.new" "$0.child"
            wait
            """
        try await withScript(text) { folder, trial in
            var trial = trial
            trial.timeout = .seconds(60)
            let hasBegun = { @Sendable in folder.contains("program.child") }
            #expect(try await trial.fault(unless: hasBegun) != nil)
            let child = try folder.text(of: "program.child").trimmingCharacters(in: .whitespacesAndNewlines)
            let hasEnded = {
                guard let state = FileContent.text("/proc/\(child)/stat") else { return true }
                // Nobody may have asked how it ended.
                return state.contains(") Z ")
            }
            #expect(await eventually { hasEnded() })
        }
    }
}
