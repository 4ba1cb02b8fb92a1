import ArgumentParser
import Service
import Testing

@testable import consentlink

@Suite struct CommandFailureTests {
    @Test("the exit codes are those of the contract")
    func codes() {
        #expect(ExitStatus.failed.rawValue == 1)
        #expect(ExitStatus.usage.rawValue == 2)
        #expect(ExitStatus.folderUnusable.rawValue == 3)
        #expect(CommandFailure("x").exitCode == ExitStatus.failed)
    }

    @Test("something more to tell stands in a line of its own, and the code stays")
    func hint() {
        let failure = CommandFailure("x", exitCode: ExitStatus.usage)
        #expect(failure.adding("y").description == "x\ny")
        #expect(failure.adding(nil).description == "x")
        #expect(failure.adding("y").exitCode == ExitStatus.usage)
    }

    @Test(
        "what is wrong with a data folder is said with its path and its code",
        arguments: [
            (.inUse(process: 7), 3, "consentlink: data folder /data/c is in use by process 7"),
            (.inUse(process: nil), 3, "consentlink: data folder /data/c is in use by another process"),
            (
                .notThere, 1,
                "consentlink: there is no data folder in /data/c: name it with --data, or make one: consentlink init"
            ),
            (.full, 1, "consentlink: data folder /data/c: the disk is full"),
            (.spoolIsThere, 1, "consentlink: data folder /data/c: spool.db is there and can be used"),
            (.notEmpty(["x"]), 1, "consentlink: data folder /data/c: the folder is not empty: it has x"),
            (
                .cannotRead("store.db", because: "Input/output error"), 1,
                "consentlink: data folder /data/c: store.db in the data folder cannot be read: Input/output error"
            ),
            (
                .cannotRead("the folder", because: "Permission denied"), 1,
                "consentlink: data folder /data/c: the folder cannot be read: Permission denied"
            ),
            (
                .unreadPage(of: "spool.db"), 1,
                """
                consentlink: data folder /data/c: a part of spool.db could not be read: see why (dmesg). Once the \
                service is stopped, consentlink doctor tells whether a database is damaged
                """
            ),
        ] as [(DataFolderError, Int32, String)])
    func folder(_ error: DataFolderError, _ code: Int32, _ text: String) {
        for path in ["/data/c", "/data/./x/../c"] {
            let failure = CommandFailure(error, folder: path)
            #expect(failure.description == text)
            #expect(failure.exitCode.rawValue == code)
        }
    }

    @Test("a folder for backups that cannot be read is named, beside what it is needed for")
    func unreadableBackups() {
        let backups = UnreadableBackups(folder: "/data/b", reason: "Permission denied")
        let failure = CommandFailure(.unreadableBackups(backups), folder: "/data/c")
        #expect(failure.exitCode == ExitStatus.folderUnusable)
        let begin = """
            consentlink: data folder /data/c: it is empty or does not exist, and the folder for backups /data/b cannot \
            be read: Permission denied

            """
        #expect(failure.description.hasPrefix(begin))
        #expect(failure.description.contains("Mount the volumes"))
    }

    @Test("a path is said as it is, and in a command as one word")
    func path() {
        let error = DataFolderError.unusable([FolderFinding("operator.key", .open(0o644))])
        let text = CommandFailure(error, folder: "/data/50% of it").description
        #expect(text.hasPrefix("consentlink: data folder /data/50% of it cannot be used:\n"))
        #expect(text.hasSuffix("chmod -R go= '/data/50% of it'"))
        let lines = CommandFailure(error, folder: "/data/a\nb\u{1B}").description.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == #"consentlink: data folder /data/a\u{A}b\u{1B} cannot be used:"#)
        #expect(lines[1].hasSuffix(#"chmod -R go= $'/data/a\x0ab\x1b'"#))
    }
}
