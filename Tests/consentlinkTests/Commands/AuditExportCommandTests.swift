import Glibc
import StubService
import TestSupport
import Testing

@testable import consentlink

@Suite struct AuditExportCommandTests {
    /// A block and the end of an archive.
    private static let archive = String(repeating: "a", count: 512) + String(repeating: "\0", count: 1024)

    @Test("an export is saved whole, under its name alone when it is there")
    func export() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write("note", to: "since")
            try await StubServer.with({ _, _ in .init(body: Self.archive) }) { server in
                let done = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "x.tar", "--since", "since", "--from", "2026-01-01",
                    at: server, in: folder)
                #expect(done.status == 0)
                #expect(done.output == "x.tar: 1536 bytes. To verify it: consentlink verify x.tar --key VKEY\n")
                #expect(try folder.text(of: "x.tar") == Self.archive)
                #expect(server.requests.map(\.line) == ["POST /v1/orgs/acme/audits"])
                #expect(server.requests[0].body == #"{"from":"2026-01-01T00:00:00Z","since":"note\n"}"#)
                let again = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "x.tar", at: server, in: folder)
                #expect(again.status == 2)
                let json = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "y.tar", "--json", at: server, in: folder)
                #expect(json.output == #"{"file":"y.tar","bytes":1536}"# + "\n")
                #expect(try folder.files == ["since", "x.tar", "y.tar"])
            }
        }
    }

    @Test("a dash is standard output: the archive goes there, and what is said of it to standard error")
    func exportToOutput() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ _, count in .init(body: Self.archive, breaksOff: count > 1) }) { server in
                let done = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "-", at: server, in: folder)
                #expect((done.status, done.output) == (0, Self.archive))
                #expect(done.errors == "1536 bytes. To verify them: consentlink verify - --key VKEY\n")
                let cut = try await CommandRun.of("audit", "export", "--org", "acme", "-o", "-", at: server, in: folder)
                #expect(cut.status == 1)
                #expect(["", Self.archive].contains(cut.output), "what was written is not written twice")
                #expect(cut.errors.contains("broke off: "))
                #expect(try folder.files == [])
            }
        }
    }

    @Test("a signal leaves nothing of an export, and that is said")
    func interrupted() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ _, _ in .init(body: "half", stalls: true) }) { server in
                let done = try await CommandRun.of(
                    ["audit", "export", "--org", "acme", "-o", "x.tar", "--api", server.base], in: folder,
                    endedWhen: { server.requests.count == 1 })
                #expect(done.status == 143)
                #expect(done.errors == "consentlink: interrupted. x.tar was not made.\n")
                #expect(try folder.files == [])
            }
        }
    }

    @Test("an export of nothing is no archive, and makes no file", arguments: ["x.tar", "-"])
    func emptyExport(_ output: String) async throws {
        try await TemporaryFolder.with { folder in
            for reply in [StubServer.Reply(), .init(status: 204), .init(isUntyped: true, body: Self.archive)] {
                try await StubServer.with({ _, _ in reply }) { server in
                    let done = try await CommandRun.of(
                        "audit", "export", "--org", "acme", "-o", output, at: server, in: folder)
                    #expect((done.status, done.output) == (1, ""))
                    #expect(try folder.files == [])
                }
            }
        }
    }

    @Test(
        "an archive without its end is none, and makes no file",
        arguments: [
            String(archive.dropLast()), String(archive.dropLast(512)), archive + "\0", "<html>It works!</html>",
        ])
    func endless(_ body: String) async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ _, _ in .init(body: body) }) { server in
                let done = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "x.tar", at: server, in: folder)
                #expect(done.status == 1 && done.errors.hasSuffix(" is not an archive: it does not end as one\n"))
                #expect(try folder.files == [])
                let written = try await CommandRun.of("audit", "export", "--org", "acme", "-o", "-", at: server)
                #expect(written.status == 1 && written.errors.contains(" is not an archive: "))
            }
        }
    }

    @Test("a link that leads nowhere is there already, and nothing is asked")
    func danglingLink() async throws {
        try await TemporaryFolder.with { folder in
            #expect(symlink("nowhere", folder.path(of: "x.tar")) == 0)
            try await StubServer.with({ _, _ in .init(body: Self.archive) }) { server in
                let done = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "x.tar", at: server, in: folder)
                #expect((done.status, done.errors) == (2, "consentlink: x.tar is there already\n"))
                #expect(server.requests.isEmpty)
            }
        }
    }

    @Test("an export that breaks off is asked for again, five times at the most, and leaves nothing")
    func brokenOff() async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with({ _, count in
                .init(body: count == 2 ? Self.archive : "half", breaksOff: count != 2)
            }) { server in
                let done = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "x.tar", at: server, in: folder)
                #expect(done.status == 0)
                #expect(done.errors.contains("broke off: "))
                #expect(done.errors.contains("Asking again (2 of 5)."))
                #expect(try folder.text(of: "x.tar") == Self.archive)
                let never = try await CommandRun.of(
                    "audit", "export", "--org", "acme", "-o", "y.tar", at: server, in: folder)
                #expect(never.status == 1)
                #expect(server.requests.count == 7)
                #expect(try folder.files == ["x.tar"])
            }
        }
    }
}
