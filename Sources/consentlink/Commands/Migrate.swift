import ArgumentParser
import Foundation
import JSON
import Service
import StoragePorts

struct Migrate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move everything to PostgreSQL, or back into the data folder.",
        discussion: """
            A service that runs on the data folder goes on: links lead on and clicks are recorded afterwards, while \
            every other write is answered with 503 until the move is done. When it was broken off, run it again: it goes on \
            where it was, or does what is left once the new database counts. Nothing is switched before every row was \
            compared with its ledger and both databases were compared.

            The password of a server comes from --storage-password-file, which the service then reads too, or from the \
            environment as CONSENTLINK_STORAGE_PASSWORD where no service runs.

            EXAMPLE
              consentlink migrate --data /var/lib/consentlink \\
                --to postgres://consentlink@db.example.com/consentlink
              consentlink migrate --data /var/lib/consentlink \\
                --to sqlite:/var/lib/consentlink
            """
    )

    @Option(help: ArgumentHelp("New storage: the URL of a PostgreSQL database, or sqlite.", valueName: "storage"))
    var to: String?

    @Flag(help: "End a move that was broken off: the data folder stays with the storage that it has.")
    var abandon = false

    @Option(help: ArgumentHelp("The data folder. (default: ./data)", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("Present storage, as serve has it. (default: sqlite)", valueName: "storage"))
    var storage: String?

    @Option(help: ArgumentHelp("File with the password of the server; no other user may read it.", valueName: "file"))
    var storagePasswordFile: String?

    @Option(help: ArgumentHelp("local or quorum, as serve has it. (default: local)", valueName: "choice"))
    var durability: String?

    @OptionGroup
    var config: ConfigOption

    @Flag(help: "Answer as JSON, for programs.")
    var json = false

    func validate() throws {
        guard abandon != (to != nil) else { throw ValidationError("name either --to or --abandon") }
    }

    func run() async throws {
        let settings = try await settings()
        var move: StorageMigration?
        do {
            let made = try StorageMigration(settings, to: to, environment: ProcessInfo.processInfo.environment)
            move = made
            guard !abandon else { return showAbandoned(try await made.abandon()) }
            Interruption.end {
                "Run the command again: it goes on where it was. --abandon ends the move without it."
            }
            let display = MigrationDisplay()
            let outcome = try await made.run { display.show($0) }
            display.end()
            show(outcome)
        } catch let error as SettingError {
            throw CommandFailure("consentlink: \("\(error)".shown)", exitCode: ExitStatus.usage)
        } catch let error as DataFolderError {
            throw CommandFailure(error, folder: settings.dataFolder).adding(move.flatMap(hint))
        } catch let failure as any StoreFailure {
            throw CommandFailure("consentlink: \(failure)").adding(move.flatMap(hint))
        }
    }

    /// What to do about a move that stays open; `nil` if none does.
    private func hint(_ move: StorageMigration) -> String? {
        guard move.isOpen else { return nil }
        return """
            The move stays open, and the service takes no writes. When the cause is mended, run this command again, or \
            end the move with consentlink migrate --abandon.
            """
    }

    /// - Parameter remainder: what to do with the old database of a move that was completed instead.
    private func showAbandoned(_ remainder: String?) {
        let output = Output(isJSON: json)
        guard let remainder else {
            return output.showDone(["abandoned": .bool(true)], "The data folder stays with the storage that it has.")
        }
        output.showDone(
            ["abandoned": .bool(false), "completed": .bool(true)],
            "The new database counted already, and what was left of the move is done. \(remainder)")
    }

    private func settings() async throws -> ServiceSettings {
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

    private func show(_ outcome: StorageMigration.Outcome) {
        guard let report = outcome.report else {
            return Output(isJSON: json).showDone(
                ["completed": .bool(true)],
                "The new database counted already, and what was left of the move is done. \(outcome.remainder)")
        }
        if json {
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("rows", report.rows)
                writer.key("ledgers")
                writer.array { writer in
                    for ledger in report.ledgers {
                        writer.object { writer in
                            writer.member("organization", ledger.organization)
                            writer.member("size", Int(clamping: ledger.size))
                            writer.member("root", ledger.root)
                        }
                    }
                }
            }
            return sayJSON(writer.bytes)
        }
        say("\(report.rows) rows were copied, and every ledger is the same:")
        for ledger in report.ledgers { say("  \(ledger.organization): \(ledger.size) entries, root \(ledger.root)") }
        say("The service uses the new database. \(outcome.remainder)")
    }
}
