import ArgumentParser
import JSON

struct Backup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Have the running service copy its data folder, without stopping it.",
        discussion: """
            The copy is a folder in the one that serve --backups names. To restore it, put a copy of it into an empty \
            folder, and start a service with --data on that. It holds every key: keep it as you keep the data folder. \
            A database on a PostgreSQL server is not in it: back that up on the server, and keep both.

            EXAMPLE
              consentlink backup
            """
    )

    @OptionGroup var options: APIOptions

    /// A large store takes long, and the service answers when everything is on disk.
    private static let patience = Duration.seconds(24 * 60 * 60)

    /// What the backup does not contain, and how to back it up.
    private static func advice(on answer: JSONValue) -> [String] {
        guard case .bool(false)? = answer["includesDatabase"] else { return [] }
        return ["", "The database is on a server and is not in this backup. Back it up there: docs/postgresql.md"]
    }

    func run() async throws {
        let answer = try await options.client().post(
            "/v1/backup", of: "private API", having: ["folder", .list("files")],
            inDoubt: "A backup may be made all the same: look into the folder for backups.",
            // A backup that fails leaves nothing under a backup's name.
            undoneIfUnavailable: true, within: Self.patience)
        Output(isJSON: options.json).show(answer) {
            let rows = (answer["files"]?.elements ?? []).map { [$0["name"]?.text ?? "-", $0["bytes"]?.text ?? "-"] }
            let table = Output.table([["FILE", "BYTES"]] + rows)
            return ["folder  \(answer["folder"]?.text ?? "-")", ""] + table + Self.advice(on: answer)
        }
    }
}
