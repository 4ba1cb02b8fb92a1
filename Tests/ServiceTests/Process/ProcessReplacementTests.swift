import Foundation
import TestSupport
import Testing

@testable import Service

@Suite struct ProcessReplacementTests {
    @Test(
        "the program is the one that was called, or the one that has its place by now",
        arguments: [
            ("/usr/bin/consentlink", "/usr/bin/consentlink (deleted)", "/usr/bin/consentlink"),
            ("./consentlink", "/srv/consentlink", "./consentlink"),
            ("consentlink", "/usr/bin/consentlink", "/usr/bin/consentlink"),
            ("consentlink", "/nowhere/consentlink (deleted)", "/nowhere/consentlink"),
            ("consentlink", nil, "consentlink"),
        ])
    func program(_ called: String, _ running: String?, _ program: String) {
        #expect(ProcessReplacement.program(called: called, running: running) == program)
    }

    @Test("a program that is really called so keeps its name")
    func oddName() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("#!/bin/sh\n", to: "consentlink (deleted)")
            #expect(ProcessReplacement.program(called: "consentlink", running: path) == path)
        }
    }

    private func reason(_ path: String) -> String? {
        do throws(ProcessReplacement.Failure) { try ProcessReplacement.check(path) } catch { return error.reason }
        return nil
    }

    @Test("what cannot be executed is told before the process is given up for it")
    func check() throws {
        try TemporaryFolder.with { folder in
            #expect(reason(folder.path(of: "missing")) == "No such file or directory")
            #expect(reason(folder.path) == "it is not a file")
        }
        #expect(reason("/proc/self/exe") == nil)
    }

    @Test(
        "a file is a program by its mode and its beginning",
        arguments: [
            ("#!/bin/sh\n", 0o600, "Permission denied"), ("", 0o700, "it is not a program"),
            ("half of a download", 0o700, "it is not a program"), ("#!/bin/sh\n", 0o700, nil),
        ] as [(String, Int, String?)])
    func checkFile(_ text: String, _ mode: Int, _ expected: String?) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(text, to: "program")
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            #expect(reason(path) == expected)
        }
    }
}
