import StubService
import Testing

@testable import consentlink

/// An answer that cannot be written is no success.
@Suite struct StandardStreamTests {
    private static let key = #"{"id":"k7","key":"clk_secret","scopes":["read"],"name":""}"#
    private static let organization = #"{"id":"acme","key":{"id":"k8","key":"clk_secret"}}"#
    private static let endpoint = #"{"id":"e9","secret":"whsec_secret"}"#

    private func run(_ line: String, reply: String, redirection: String) async throws -> CommandRun {
        try await StubServer.with({ _, _ in .json(reply) }) { server in
            try await CommandRun.of(
                line.split(separator: " ").map(String.init) + ["--api", server.base], redirection: redirection)
        }
    }

    @Test("a list that is not written is an error", arguments: [">/dev/full", ">&-"])
    func list(_ redirection: String) async throws {
        for option in ["", " --json"] {
            let done = try await run("keys list" + option, reply: #"{"keys":[]}"#, redirection: redirection)
            #expect(done.status == 1)
            #expect(done.errors.hasPrefix("consentlink: standard output takes no more: "))
        }
    }

    @Test(
        "what is shown once and was not is told by its id, so that it can be deleted",
        arguments: [
            ("org key acme --scope read", key, "k7"),
            ("org create acme --enforcement restrictive", organization, "k8"),
            ("endpoint create acme https://crm.example/ --kind consent.recorded", endpoint, "e9"),
        ])
    func lost(_ line: String, _ reply: String, _ id: String) async throws {
        for redirection in [">/dev/full", ">&-"] {
            let done = try await run(line, reply: reply, redirection: redirection)
            #expect(done.status == 1)
            #expect(done.errors.contains("standard output takes no more"))
            #expect(done.errors.contains(" \(id)"))
            #expect(!done.errors.contains("_secret"))
        }
    }

    @Test("help that is not written is an error, too", arguments: ["--help", "--version"])
    func help(_ flag: String) async throws {
        let done = try await CommandRun.of([flag], redirection: ">/dev/full")
        #expect(done.status == 1)
        #expect(try await CommandRun.of([flag]).status == 0)
    }

    @Test("an error that nobody can read keeps its exit code", arguments: ["2>/dev/full", "2>&-", "<&- >&- 2>&-"])
    func errors(_ redirection: String) async throws {
        let done = try await CommandRun.of(["serve", "--threads", "none"], environment: [:], redirection: redirection)
        #expect(done.status == 2)
        #expect(done.output.isEmpty)
    }
}
