import ArgumentParser
import StubService
import Testing

@testable import consentlink

/// Ids that the command line puts into paths.
@Suite struct APIClientSegmentTests {
    @Test(
        "an id has no character that would make another path of it",
        arguments: ["", ".", "..", "a/b", "../x", "a?b", "a#b", "a%2Fb", "a b", "a\u{7F}", "a\n", "ü", "~"])
    func refused(_ id: String) async throws {
        let failure = try #require(throws: CommandFailure.self) { try APIClient.segment(id, of: "--org") }
        #expect(failure.exitCode == ExitStatus.usage)
        #expect(
            failure.description == "consentlink: --org must be an id: letters, digits, dots, underscores and hyphens")
        await #expect(throws: (any Error).self) { try await AuditSelection.parse(["--org=\(id)"]).members() }
    }

    @Test("an id of the service's is a segment", arguments: ["acme", "A-z_0.9", "3357d7d9f4000001"])
    func taken(_ id: String) throws { #expect(try APIClient.segment(id, of: "x") == id) }

    @Test(
        "a command that is given another path in place of an id asks nothing, and names the argument",
        arguments: [
            (["endpoint", "list", "acme?x"], "the organization's id"),
            (["endpoint", "create", "", "https://crm.example/", "--kind", "x"], "the organization's id"),
            (["endpoint", "disable", "acme/messages/3357d7d9f4000001/disable?", "x"], "the organization's id"),
            (["endpoint", "enable", "acme", "x/../y"], "the endpoint's id"),
            (["endpoint", "attempts", "acme", ""], "the endpoint's id"),
            (["endpoint", "test", "acme", "x#"], "the endpoint's id"),
            (["node", "remove", "links-3?force=true"], "the node's name"),
            (["org", "key", "acme/keys?", "--scope", "read"], "the organization's id"),
            (["audit", "show", "../messages/1", "--org", "acme"], "the decision's id"),
            (["consents", "import", "f", "--org", "acme/x"], "--org"),
        ])
    func paths(_ words: [String], _ argument: String) async throws {
        try await StubServer.with({ _, _ in .json("{}") }) { server in
            let done = try await CommandRun.of(words + ["--api", server.base])
            #expect((done.status, done.output) == (2, ""))
            #expect(done.errors.hasPrefix("consentlink: \(argument) must be an id"))
            #expect(server.requests.isEmpty)
        }
    }
}
