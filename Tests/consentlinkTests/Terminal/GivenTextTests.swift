import Foundation
import TestSupport
import Testing

@testable import consentlink

@Suite struct GivenTextTests {
    private static let broken: [UInt8] = [UInt8(ascii: "a"), 0xFF, UInt8(ascii: "\n")]

    @Test("an argument or a setting that is not UTF-8 is named")
    func faults() {
        let name = ("CONSENTLINK_DATA", Array("größe".utf8))
        #expect(GivenText.fault(in: [] as [[UInt8]]) == nil)
        #expect(GivenText.fault(in: [Self.broken, Array("\u{FFFD}".utf8), []]) == nil)
        #expect(GivenText.fault(in: [[], [], Self.broken]) == "argument 2 is not UTF-8: a\u{FFFD}\\u{A}")
        #expect(GivenText.fault(in: [name]) == nil)
        #expect(
            GivenText.fault(in: [name, ("CONSENTLINK_API", Self.broken)])
                == "CONSENTLINK_API in the environment is not UTF-8")
    }

    @Test("a variable with quotation marks or a line end around its value is named; a password may be any text")
    func wrapped() {
        for (name, value) in [("CONSENTLINK_DATA", "\"/srv/data\""), ("CONSENTLINK_KEY", "clk_1\n")] {
            let fault = GivenText.fault(in: [(name, Array(value.utf8))])
            #expect(fault?.hasPrefix("\(name) in the environment must ") == true)
            #expect(fault?.contains("srv") == false && fault?.contains("clk") == false)
        }
        let free = [
            ("CONSENTLINK_STORAGE_PASSWORD", "\" a'\n"), ("CONSENTLINK_RELAY_ALLOW", " a.example, b.example "),
            ("CONSENTLINK_CONSOLE_OIDC_ROLES", "a=operator;\n"),
        ]
        #expect(GivenText.fault(in: free.map { ($0, Array($1.utf8)) }) == nil)
    }

    @Test("init makes no folder with quotation marks around its name, or with what a shell would have replaced")
    func initialized() async throws {
        try await TemporaryFolder.with { folder in
            let flag = try await CommandRun.of(["init", "--data", "'data'"], in: folder)
            #expect(flag.status == 2 && flag.errors.contains("must be written without the quotation marks"))
            for path in ["~/data", "$HOME/data"] {
                let unreplaced = try await CommandRun.of(["init", "--data=\(path)"], in: folder)
                #expect(unreplaced.status == 2)
                #expect(
                    unreplaced.errors == """
                        consentlink: --data (or CONSENTLINK_DATA) must be the whole path: nothing replaces the \
                        \(path.prefix(1)) at its beginning

                        """)
            }
            let variable = try await CommandRun.of(["init"], environment: ["CONSENTLINK_DATA": "\"data\""], in: folder)
            #expect(variable.status == 2 && variable.errors.contains("CONSENTLINK_DATA in the environment must be"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(
        "help and the version need no settings",
        arguments: [["--version"], ["--help"], [], ["help", "keys"], ["keys", "list", "--help"], ["keys"]])
    func help(_ arguments: [String]) async throws {
        let run = try await CommandRun.of(arguments, environment: ["CONSENTLINK_DATA": "\"data\""])
        #expect(run.status == 0 && run.errors.isEmpty)
        #expect(run.output.contains("consentlink"))
    }

    @Test("a command with such an argument ends before it does anything")
    func command() async throws {
        let argument = try await CommandRun.of(["verify", "--key", "k"], redirection: #""$(printf 'a\377')""#)
        #expect(argument.status == 2)
        #expect(argument.errors == "consentlink: argument 4 is not UTF-8: a\u{FFFD}\n")
    }
}
