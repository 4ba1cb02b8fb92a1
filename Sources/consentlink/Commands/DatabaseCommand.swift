import ArgumentParser
import Foundation
import JSON
import Service
import StoragePorts

struct DatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database",
        abstract: "Make, check and upgrade a PostgreSQL database for the service, and seal a ledger in it.",
        discussion: """
            The password comes from the environment as CONSENTLINK_STORAGE_PASSWORD, from --storage-password-file, or \
            from ~/.pgpass.

            EXAMPLE
              consentlink database check \\
                --storage postgres://consentlink@db.example.com/consentlink
            """,
        subcommands: [DatabaseInit.self, DatabaseCheck.self, DatabaseMigrate.self, DatabaseSeal.self]
    )
}

/// The database that a command is about.
struct DatabaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("URL of the database. (default: as serve has it)", valueName: "url"))
    var storage: String?

    @Option(help: ArgumentHelp("File with the password; no other user may read it.", valueName: "file"))
    var storagePasswordFile: String?

    @Option(help: ArgumentHelp("local or quorum, as serve has it. (default: local)", valueName: "choice"))
    var durability: String?

    @OptionGroup
    var config: ConfigOption

    @Flag(help: "Answer as JSON, for programs.")
    var json = false

    func database() async throws -> DatabaseTask {
        let settings = try await settings()
        do {
            return try DatabaseTask(settings)
        } catch {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        }
    }

    /// - Parameter data: the data folder; `nil` for that of the settings.
    func settings(data: String? = nil) async throws -> ServiceSettings {
        let flags = [
            "data": data, "storage": storage, "storage-password-file": storagePasswordFile, "durability": durability,
        ].compactMapValues { $0 }
        do {
            return try await ServiceSettings.load(
                flags: flags, environment: ProcessInfo.processInfo.environment, file: config.file)
        } catch {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        }
    }
}

struct DatabaseInit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Make the tables in an empty database. One that has them stays as it is.",
        discussion: """
            A service that starts on an empty database does the same.

            EXAMPLE
              consentlink database init \\
                --storage postgres://consentlink@db.example.com/consentlink
            """
    )

    @OptionGroup var options: DatabaseOptions

    func run() async throws { try await options.upgrade() }
}

struct DatabaseMigrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the tables of an earlier version up to date.",
        discussion: """
            A service that starts on an older database does the same.

            EXAMPLE
              consentlink database migrate \\
                --storage postgres://consentlink@db.example.com/consentlink
            """
    )

    @OptionGroup var options: DatabaseOptions

    func run() async throws { try await options.upgrade() }
}

struct DatabaseCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Look for faults that would lose acknowledged writes, or keep the service from starting.",
        discussion: """
            Changes nothing. Exits with 1 when something must be mended.

            EXAMPLE
              consentlink database check \\
                --storage postgres://consentlink@db.example.com/consentlink \\
                --patroni https://db1.example.com:8008 --patroni-ca /etc/patroni/ca.crt
            """
    )

    @OptionGroup var options: DatabaseOptions

    @Option(
        help: ArgumentHelp("REST API of the Patroni that manages the server, to look at that, too.", valueName: "url"))
    var patroni: String?

    @Option(
        help: ArgumentHelp(
            "Certificates in PEM that --patroni is trusted by besides those of the system.", valueName: "file"),
        completion: .file())
    var patroniCa: String?

    func validate() throws {
        guard patroniCa == nil || patroni != nil else { throw ValidationError("--patroni-ca needs --patroni.") }
    }

    func run() async throws {
        let database = try await options.database()
        let probe = try patroni.map {
            try HealthProbe(
                base: $0, option: "--patroni", trusting: patroniCa.map { (file: $0, option: "--patroni-ca") })
        }
        var entries: [DiagnosisEntry]
        let isManaged: Bool
        do {
            entries = try await database.check()
            isManaged = try await database.isManagedByPatroni()
        } catch let failure as any StoreFailure {
            throw CommandFailure("consentlink: \(failure)")
        }
        if let probe {
            entries += await PatroniDiagnosis(
                base: probe.base, status: probe.answer(to: "/patroni"), configuration: probe.get("/config"),
                isQuorum: database.isQuorum
            ).entries
        }
        if options.json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("well", entries.isEmpty)
                writer.member("managedByPatroni", isManaged)
                writer.key("entries")
                writer.array { writer in
                    for entry in entries {
                        writer.object { writer in
                            writer.member("text", entry.text)
                            writer.member("remedy", entry.remedy)
                        }
                    }
                }
            }
            sayJSON(writer.bytes)
        } else if entries.isEmpty {
            say("All is well.")
        } else {
            for entry in entries {
                say("!!  \(entry.text)")
                say("     \(entry.remedy ?? "")")
            }
        }
        if isManaged, probe == nil, !options.json {
            say("Patroni manages this server, and was not looked at: name its REST API with --patroni.")
        }
        if !entries.isEmpty { throw ExitStatus.failed }
    }
}

extension DatabaseOptions {
    fileprivate func upgrade() async throws {
        let database = try await database()
        let outcome: (from: Int, to: Int)
        do {
            outcome = try await database.upgrade()
        } catch let failure as any StoreFailure {
            throw CommandFailure("consentlink: \(failure)")
        }
        guard json else {
            return say(
                outcome.from == outcome.to
                    ? "The database has schema version \(outcome.to) already."
                    : "The database has schema version \(outcome.to) now.")
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("from", outcome.from)
            writer.member("to", outcome.to)
        }
        sayJSON(writer.bytes)
    }
}
