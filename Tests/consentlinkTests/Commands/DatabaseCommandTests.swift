import JSON
import PostgresClient
import PostgresServer
import StubService
import TestSupport
import Testing

@testable import consentlink

@Suite struct DatabaseCommandTests {
    private func run(
        _ words: String..., at location: PostgresLocation, environment: [String: String] = [:]
    ) async throws -> CommandRun {
        let name = location.database ?? ""
        let url = "postgres://test@/\(name)?host=\(location.hosts.first?.name ?? "")"
        return try await CommandRun.of(["database"] + words + ["--storage", url], environment: environment)
    }

    private func withDatabase(
        on server: PostgresServer = .durable, _ body: (PostgresLocation) async throws -> Void
    ) async throws {
        let location = try server.makeDatabase()
        try await body(location)
        try server.drop(location)
    }

    @Test("an empty database is found, gets its tables once, and is well then")
    func made() async throws {
        try await withDatabase { location in
            let before = try await run("check", at: location)
            #expect(before.status == 1)
            #expect(before.output.contains("no tables of ConsentLink yet"))
            #expect(before.output.contains("consentlink database init"))
            let made = try await run("init", at: location)
            #expect(made.status == 0 && made.output.hasSuffix(" now.\n"))
            let again = try await run("init", at: location)
            #expect(again.status == 0 && again.output.hasSuffix(" already.\n"))
            let migrated = try await run("migrate", "--json", at: location)
            #expect(migrated.status == 0)
            let outcome = try JSONValue.parse(Array(migrated.output.utf8))
            #expect(outcome["from"] == outcome["to"] && outcome["to"] != nil)
            let after = try await run("check", at: location)
            #expect(after.status == 0 && after.output == "All is well.\n")
        }
    }

    @Test("settings that lose what was acknowledged are named, with how to mend each, for programs too")
    func losing() async throws {
        try await withDatabase(on: .shared) { location in
            #expect(try await run("init", at: location).status == 0)
            let checked = try await run("check", "--json", at: location)
            #expect(checked.status == 1)
            let document = try JSONValue.parse(Array(checked.output.utf8))
            #expect(document["well"] == .bool(false))
            let texts = document["entries"]?.elements.compactMap { $0["text"]?.text } ?? []
            for setting in ["fsync", "full_page_writes"] {
                #expect(texts.contains { $0.hasPrefix("\(setting) is off and must be on") })
            }
            let remedies = document["entries"]?.elements.compactMap { $0["remedy"]?.text } ?? []
            #expect(remedies.allSatisfy { $0.contains("ALTER SYSTEM SET") })
        }
    }

    @Test("durability quorum needs a standby")
    func noStandby() async throws {
        try await withDatabase { location in
            #expect(try await run("init", at: location).status == 0)
            let checked = try await run("check", "--durability", "quorum", at: location)
            #expect(checked.status == 1)
            #expect(checked.output.contains("synchronous_standby_names is empty"))
        }
    }

    @Test("tables of a later version are refused by all three", arguments: ["init", "check", "migrate"])
    func newer(command: String) async throws {
        try await withDatabase { location in
            #expect(try await run("init", at: location).status == 0)
            let connection = try PostgresConnection(location, password: nil)
            try connection.run(script: "UPDATE schema_version SET version = 1000")
            connection.close()
            let done = try await run(command, at: location)
            #expect(done.status == 1)
            #expect((done.output + done.errors).contains("schema version 1000"))
        }
    }

    @Test("a database that is not there, and a server that cannot be reached, are failures with a reason")
    func unreachable() async throws {
        try await withDatabase { location in
            let folder = location.hosts.first?.name ?? ""
            for (url, reason) in [
                ("postgres://test@/nowhere?host=\(folder)", "\"nowhere\" does not exist"),
                ("postgres://stranger@/postgres?host=\(folder)", "\"stranger\" does not exist"),
                ("postgres://test@/postgres?host=\(folder)/none", "cannot be reached"),
            ] {
                let done = try await CommandRun.of(["database", "check", "--storage", url], environment: [:])
                #expect(done.status == 1)
                #expect(done.output.isEmpty && done.errors.hasPrefix("consentlink: "))
                #expect(done.errors.contains(reason))
            }
        }
    }

    @Test("a password in the URL is wrong usage, and is not repeated; so is a setting that names no server")
    func usage() async throws {
        for command in [["init"], ["check"], ["migrate"], ["seal", "acme"]] {
            let password = try await CommandRun.of(
                ["database"] + command + ["--storage", "postgres://user:hunter2@db.example/links"], environment: [:])
            #expect(password.status == 2)
            #expect(password.errors.contains("CONSENTLINK_STORAGE_PASSWORD"))
            #expect(!(password.output + password.errors).contains("hunter2"))
            let none = try await CommandRun.of(["database"] + command, environment: [:])
            #expect(none.status == 2)
            #expect(none.errors.hasPrefix("consentlink: storage: "))
        }
    }

    @Test("a ledger is sealed with the data folder of a node of the database alone")
    func sealing() async throws {
        try await withDatabase(on: .shared) { location in
            #expect(try await run("init", at: location).status == 0)
            try await TemporaryFolder.with { folder in
                let url = "postgres://test@/\(location.database ?? "")?host=\(location.hosts.first?.name ?? "")"
                let environment = ["CONSENTLINK_STORAGE": url]
                let words = ["database", "seal", "acme", "--data", "d"]
                let without = try await CommandRun.of(words, environment: environment, in: folder)
                #expect(without.status == 1)
                #expect(without.errors.contains("there is no data folder"))
                let made = try await CommandRun.of(["init", "--data", "d"], environment: environment, in: folder)
                #expect(made.status == 0)
                let other = try await CommandRun.of(words, environment: environment, in: folder)
                #expect(other.status == 1)
                #expect(other.errors.hasPrefix("consentlink: "))
                #expect(!folder.contains("d/sealed.ndjson"))
                let name = try await CommandRun.of(
                    ["database", "seal", "a/b", "--data", "d"], environment: environment, in: folder)
                #expect(name.status == 2)
                #expect(name.errors.contains("is no id of an organization"))
            }
        }
    }

    @Test("the doctor looks at the database, and init makes a folder for it")
    func doctor() async throws {
        try await withDatabase { location in
            try await TemporaryFolder.with { folder in
                let url = "postgres://test@/\(location.database ?? "")?host=\(location.hosts.first?.name ?? "")"
                let environment = ["CONSENTLINK_STORAGE": url]
                let made = try await CommandRun.of(["init", "--data", "d"], environment: environment, in: folder)
                #expect(made.status == 0)
                #expect(!folder.contains("d/consentlink.db"))
                let api = try await StubServer.nowhere()
                let words = ["doctor", "--data", "d", "--api", api]
                let text = try await CommandRun.of(words, environment: environment, in: folder)
                #expect(text.output.contains("!!   database: the database has no tables of ConsentLink yet"))
                let other = try await CommandRun.of(words, environment: [:], in: folder)
                #expect(other.output.contains("!!   folder: it was made for PostgreSQL"))
                let serve = try await CommandRun.of(["serve", "--data", "d"], environment: [:], in: folder)
                #expect(serve.status == 3)
                #expect(serve.errors.contains("it was made for PostgreSQL"))
            }
        }
    }
}
