import ArgumentParser
import Consent
import Identifiers
import Organizations
import Testing

@testable import consentlink

@Suite struct ArgumentTests {
    private func parsed<Command: ParsableCommand>(_ type: Command.Type, _ line: String) throws -> Command {
        let words = line.split(separator: " ").map(String.init)
        return try #require(try ConsentLink.parseAsRoot(words) as? Command)
    }

    @Test(
        "every command is found by its name",
        arguments: [
            ("serve", "Serve"), ("init", "Init"), ("org create a --enforcement restrictive", "Create"),
            ("org key a --scope read", "Key"), ("keys list", "List"), ("keys rotate", "Rotate"),
            ("keys retire 1", "Retire"), ("consents import f --org a", "ConsentsImport"),
            ("compose m r --org a", "Compose"), ("inspect t", "Inspect"), ("audit --org a", "AuditQuery"),
            ("audit query --org a", "AuditQuery"), ("audit show d --org a", "AuditShow"),
            ("audit export --org a -o x", "AuditExport"), ("verify f --key k", "Verify"), ("backup", "Backup"),
            ("doctor", "Doctor"),
        ])
    func names(_ line: String, _ type: String) throws {
        let command = try ConsentLink.parseAsRoot(line.split(separator: " ").map(String.init))
        #expect("\(Swift.type(of: command))" == type)
    }

    @Test(
        "wrong usage is refused, and the message names what is wrong",
        arguments: [
            ("fly", "fly"), ("serve --fly", "--fly"), ("serve x", "x"), ("init x", "x"),
            (
                "init --new-operator-key --replace-spool",
                "Give one of --new-operator-key, --replace-spool and --accept-keyring, not more."
            ),
            ("serve --config a --config b", "Give --config once"),
            ("doctor --config a --config=a", "Give --config once"),
            ("migrate --to sqlite --config a --config b", "Give --config once"),
            ("database check --config a --config b", "Give --config once"),
            ("org create", "<id>"), ("org create a", "--enforcement"), ("org create a --enforcement maybe", "maybe"),
            ("org create a --enforcement restrictive --identifiers phone", "phone"),
            ("org create a --enforcement restrictive --interactions-days 0", "0"),
            ("org create a --enforcement restrictive --decisions-days always", "always"),
            ("org key a", "--scope"), ("org key a --scope all", "all"),
            ("keys retire", "<kid>"), ("keys retire 256", "256"), ("keys retire x", "x"), ("inspect", "<token>"),
            ("compose m r", "--org"), ("compose m --org a", "<recipients>"),
            ("compose m r --org a --resume", "--resume needs the --output to go on with."),
            ("compose m r --org a --text --json-lines", "Either --text or --json-lines."),
            ("compose m r --org a --patience 0", "--patience must be from 1 to 86400 seconds."),
            ("compose m r --org a --patience 86401", "--patience must be from 1 to 86400 seconds."),
            ("consents import f", "--org"), ("consents import --org a", "<file>"),
            ("compose m r --org a --resume -o -", "--resume needs the --output to go on with."),
            ("consents import f --org a --errors -", "--errors and --journal are files, and not standard output."),
            ("consents import f --org a --journal -", "--errors and --journal are files, and not standard output."),
            ("consents import f --org a --patience 0", "--patience must be from 1 to 86400 seconds."),
            ("audit", "--org"), ("audit --org a --limit 0", "--limit must be at least 1."),
            ("audit --org a --limit x", "x"), ("audit --org a --csv --json", "Either --csv or --json."),
            ("audit export --org a", "--output"), ("audit show --org a", "<id>"), ("verify f", "--key"),
            ("backup here", "here"),
        ])
    func refused(_ line: String, _ text: String) {
        let error = #expect(throws: (any Error).self) {
            try ConsentLink.parseAsRoot(line.split(separator: " ").map(String.init))
        }
        guard let error else { return }
        #expect(ConsentLink.exitCode(for: error) != .success)
        #expect(ConsentLink.fullMessage(for: error).contains(text))
    }

    @Test("what was not said has the value that the help says")
    func defaults() throws {
        let compose = try parsed(Compose.self, "compose m r --org a")
        #expect(compose.patience.seconds == 60)
        #expect(try parsed(Serve.self, "serve").config.file == nil)
        #expect(try parsed(Serve.self, "serve --config a.yaml").config.file == "a.yaml")
        #expect((compose.resume, compose.jsonLines, compose.text) == (false, false, false))
        #expect(compose.output == nil)
        let consents = try parsed(ConsentsImport.self, "consents import f --org a")
        #expect((consents.patience.seconds, consents.resume, consents.jsonLines) == (60, false, false))
        #expect(consents.errors == nil && consents.journal == nil)
        let create = try parsed(Org.Create.self, "org create a --enforcement nonRestrictive")
        #expect(create.enforcement == .nonRestrictive)
        #expect(create.identifiers == .email)
        #expect(create.interactionsDays == nil && create.decisionsDays == nil && !create.requireEvidence)
        let query = try parsed(AuditQuery.self, "audit --org a")
        #expect(query.limit == nil && !query.csv && !query.options.json)
        let verify = try parsed(Verify.self, "verify f --key k")
        #expect(!verify.whole && !verify.json && verify.since == nil)
        let retire = try parsed(Keys.Retire.self, "keys retire 3")
        #expect((retire.kid, retire.force) == (3, false))
    }

    @Test("a scope is said once for each")
    func scopes() throws {
        let key = try parsed(Org.Key.self, "org key a --scope read --scope manage --name auditor")
        #expect(key.scope == [.read, .manage])
        #expect(key.name == "auditor")
    }

    @Test("what was said is taken")
    func values() throws {
        let serve = try parsed(
            Serve.self,
            "serve --data d --listen 0.0.0.0:1 --api-listen 127.0.0.1:2 --public-url https://l.example --threads 3")
        #expect((serve.data, serve.listen, serve.apiListen) == ("d", "0.0.0.0:1", "127.0.0.1:2"))
        #expect((serve.publicURL, serve.threads) == ("https://l.example", "3"))
        let export = try parsed(AuditExport.self, "audit export --org a -o x.tar --since c --from 2026-01-01")
        #expect((export.output, export.since, export.selection.from) == ("x.tar", "c", "2026-01-01"))
    }

    @Test("every command explains itself, and all but those that have subcommands give an example")
    func help() {
        func all(_ type: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
            [type] + type.configuration.subcommands.flatMap(all)
        }
        let commands = all(ConsentLink.self)
        #expect(commands.count == 40)
        for command in commands {
            #expect(!command.configuration.abstract.isEmpty, "\(command)")
            #expect(command.configuration.discussion.contains("consentlink "), "\(command)")
            // To make all names from those of the types takes a third of a start.
            #expect(command.configuration.commandName != nil, "\(command)")
        }
    }
}

@Suite struct AuditSelectionTests {
    private func selection(_ words: String...) throws -> AuditSelection {
        try AuditSelection.parse(["--org", "acme"] + words)
    }

    private func members(_ words: String...) async throws -> [String] {
        try await AuditSelection.parse(["--org", "acme"] + words).members().map { "\($0.name)=\($0.value)" }
    }

    @Test("what was said is a member, in one order; a date alone is its first moment in UTC")
    func members() async throws {
        #expect(try await members() == [])
        #expect(
            try await members(
                "--to", "2026-12-01", "--from", "2026-11-01", "--message", "33d0000000000001", "--recipient", "ana")
                == [
                    "recipient=ana", "message=33d0000000000001", "from=2026-11-01T00:00:00Z", "to=2026-12-01T00:00:00Z",
                ])
        #expect(try await members("--from", "2026-11-01T10:00:00+01:00") == ["from=2026-11-01T10:00:00+01:00"])
        #expect(try selection().path == "/v1/orgs/acme")
    }

    @Test(
        "a time that is none is wrong usage, and the option is named", arguments: ["--from", "--to"],
        ["yesterday", "2026-13-01", "2026-11-31", "2026-11-01T00:00:00", "01.11.2026"])
    func times(_ option: String, _ time: String) async throws {
        let failure = try await #require(throws: CommandFailure.self) { try await members("\(option)=\(time)") }
        #expect(failure.exitCode == ExitStatus.usage)
        #expect(failure.description.hasPrefix("consentlink: \(option) must be a date such as 2026-11-01"))
    }

    @Test("a word that an option does not take is wrong usage, and the words are told")
    func words() throws {
        #expect(try AuditSelection.choice("tracked", as: DecisionOutcome.self, of: "--outcome") == "tracked")
        #expect(try AuditSelection.choice(nil, as: DecisionOutcome.self, of: "--outcome") == nil)
        let failure = try #require(throws: CommandFailure.self) {
            try AuditSelection.choice("maybe", as: DecisionOutcome.self, of: "--outcome")
        }
        #expect(failure.exitCode == ExitStatus.usage)
        #expect(failure.description == "consentlink: --outcome must be one of tracked, untracked")
    }
}
