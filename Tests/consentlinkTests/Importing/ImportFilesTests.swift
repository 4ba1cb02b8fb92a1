import Glibc
import TestSupport
import Testing

@testable import consentlink

@Suite struct ImportFilesTests {
    @Test("what is no file is refused in the place of the journal and of the errors, without waiting for anything")
    func irregular() throws {
        try TemporaryFolder.with { folder in
            let file = try folder.write("", to: "file")
            let pipe = folder.path(of: "pipe")
            #expect(mkfifo(pipe, 0o600) == 0)
            for (path, what) in [(pipe, "a pipe"), (folder.path, "a folder"), ("/dev/null", "a device")] {
                for (errors, journal, name) in [(path, file, "--errors"), (file, path, "--journal")] {
                    let files = ImportFiles(input: "-", errors: errors, journal: ImportJournal(path: journal))
                    let failure = try #require(throws: CommandFailure.self) { try files.requireRegular() }
                    #expect(failure.exitCode == ExitStatus.usage)
                    #expect(failure.description == "consentlink: \(name) must be a file, and \(path) is \(what)")
                }
                #expect(SmallFile.read(path, upTo: 10) == [])
            }
            let missing = folder.path(of: "missing")
            try ImportFiles(input: "-", errors: missing, journal: ImportJournal(path: file)).requireRegular()
            let loop = folder.path(of: "loop")
            #expect(symlink(loop, loop) == 0)
            #expect(SmallFile.read(loop, upTo: 10) == [], "nothing tells that there is none")
            for absent in [missing, folder.path(of: String(repeating: "n", count: 300))] {
                #expect(SmallFile.read(absent, upTo: 10) == nil)
            }
        }
    }
}
